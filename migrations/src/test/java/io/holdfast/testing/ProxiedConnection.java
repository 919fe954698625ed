package io.holdfast.testing;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection through {@link ServerProxy}: two threads, one for each direction. Messages are those of the
 * PostgreSQL documentation, "Frontend/Backend Protocol": a type byte (none in the first message), a length that counts
 * itself, a body.
 */
final class ProxiedConnection {

    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;

    /** The type byte and the length. */
    private static final int HEADER = 5;

    private record Message(int type, byte[] body) {}

    private final ServerProxy proxy;
    private final Socket client;
    private final Socket server;
    private final Map<String, String> prepared = new HashMap<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile ServerProxy.@Nullable Fault mute;

    ProxiedConnection(ServerProxy proxy, Socket client, Socket server) {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
    }

    void start() {
        ServerProxy.thread("to server", () -> run(this::toServer));
        ServerProxy.thread("to client", () -> run(this::toClient));
    }

    void cut() {
        try {
            client.close();
            server.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } finally {
            proxy.forget(this);
        }
    }

    private interface Direction {
        void pump() throws IOException, InterruptedException;
    }

    private void run(Direction direction) {
        try {
            direction.pump();
        } catch (IOException | InterruptedException e) {
            // One side ended: so does the other.
        } finally {
            cut();
        }
    }

    private void toServer() throws IOException, InterruptedException {
        var in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
        var out = new DataOutputStream(new BufferedOutputStream(server.getOutputStream()));
        startUp(in, out);
        ServerProxy.Fault waiting = null;
        while (true) {
            Message message = read(in);
            proxy.waitWhileSwallowing();
            String sql = statement(message);
            ServerProxy.Fault fault = sql == null ? null : proxy.statement(sql);
            if (fault != null) {
                if (fault.moment() == ServerProxy.Moment.BEFORE_THE_SERVER) {
                    fault.strike().happen();
                    return;
                }
                waiting = fault;
            }
            boolean answered = message.type() == 'S' || message.type() == 'Q' || message.type() == 'F';
            if (answered) {
                unanswered.incrementAndGet();
                mute = waiting;
            }
            // A driver sends BEGIN as a Query and goes on without waiting: only the last of what came together is a
            // turn.
            boolean last = in.available() == 0;
            if (last && answered) {
                proxy.roundTrip();
            }
            write(out, message);
            if (last) {
                out.flush();
            }
        }
    }

    private void toClient() throws IOException, InterruptedException {
        var in = new DataInputStream(new BufferedInputStream(server.getInputStream()));
        var out = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()));
        while (true) {
            Message message = read(in);
            proxy.waitWhileSwallowing();
            ServerProxy.Fault fault = mute;
            // ReadyForQuery: the statement is done and, in autocommit, committed. The login ends with one, too.
            boolean ready = message.type() == 'Z' && (unanswered.get() == 0 || unanswered.decrementAndGet() == 0);
            if (fault != null && ready) {
                fault.strike().happen();
                return;
            }
            if (fault != null) {
                continue;
            }
            int size = message.body().length + HEADER;
            int passing = (int) proxy.mayPass(size);
            if (passing < size) {
                out.writeByte(message.type());
                out.writeInt(message.body().length + 4);
                out.write(message.body(), 0, Math.max(0, passing - HEADER));
                out.flush();
                return;
            }
            write(out, message);
            if (in.available() == 0) {
                out.flush();
            }
        }
    }

    private void startUp(DataInputStream in, DataOutputStream out) throws IOException, InterruptedException {
        while (true) {
            int length = in.readInt();
            byte[] body = in.readNBytes(length - 4);
            proxy.waitWhileSwallowing();
            int code = ByteBuffer.wrap(body).getInt();
            if (code == SSL_REQUEST || code == GSS_REQUEST) {
                client.getOutputStream().write('N');
                continue;
            }
            out.writeInt(length);
            out.write(body);
            out.flush();
            return;
        }
    }

    /** The SQL that this message is about to run; a Parse counts when it is bound. */
    private @Nullable String statement(Message message) {
        ByteBuffer body = ByteBuffer.wrap(message.body());
        switch (message.type()) {
            case 'Q':
                return text(body);
            case 'P':
                prepared.put(text(body), text(body));
                return null;
            case 'B':
                text(body); // the portal
                return prepared.getOrDefault(text(body), "");
            default:
                return null;
        }
    }

    private static String text(ByteBuffer body) {
        int start = body.position();
        while (body.get() != 0) {
            // up to the terminating zero
        }
        return new String(body.array(), start, body.position() - 1 - start, StandardCharsets.UTF_8);
    }

    private static Message read(DataInputStream in) throws IOException {
        int type = in.readUnsignedByte();
        int length = in.readInt();
        byte[] body = in.readNBytes(length - 4);
        if (body.length < length - 4) {
            throw new EOFException();
        }
        return new Message(type, body);
    }

    private static void write(DataOutputStream out, Message message) throws IOException {
        out.writeByte(message.type());
        out.writeInt(message.body().length + 4);
        out.write(message.body());
    }
}
