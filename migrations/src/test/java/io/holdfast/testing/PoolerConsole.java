package io.holdfast.testing;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * PgBouncer's console. It speaks PostgreSQL's protocol, but refuses the SET that the driver sends to servers of its version.
 * Source of the format: PostgreSQL's documentation, "Message Formats".
 */
final class PoolerConsole implements AutoCloseable {

    private static final int PROTOCOL = 3 << 16;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    PoolerConsole(String host, int port, String user) throws IOException {
        socket = new Socket(host, port);
        socket.setSoTimeout(10_000);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(
                new BufferedOutputStream(socket.getOutputStream())); // the start-up in one piece, it asks
        byte[] options = ("user\0" + user + "\0database\0pgbouncer\0\0").getBytes(StandardCharsets.UTF_8);
        out.writeInt(8 + options.length);
        out.writeInt(PROTOCOL);
        out.write(options);
        out.flush();
        answer();
    }

    /** The rows that a command shows, each by the names of its columns. */
    List<Map<String, String>> show(String command) throws IOException {
        byte[] text = (command + "\0").getBytes(StandardCharsets.UTF_8);
        out.writeByte('Q');
        out.writeInt(4 + text.length);
        out.write(text);
        out.flush();
        return answer();
    }

    private List<Map<String, String>> answer() throws IOException {
        List<String> names = new ArrayList<>();
        List<Map<String, String>> rows = new ArrayList<>();
        while (true) {
            int type = in.readUnsignedByte();
            ByteBuffer body = ByteBuffer.wrap(in.readNBytes(in.readInt() - 4));
            switch (type) {
                case 'T' -> names(body, names);
                case 'D' -> rows.add(row(body, names));
                case 'E' ->
                    throw new IOException(StandardCharsets.UTF_8.decode(body).toString());
                case 'Z' -> {
                    return rows;
                }
                default -> {}
            }
        }
    }

    private static void names(ByteBuffer body, List<String> names) {
        int columns = body.getShort();
        for (int i = 0; i < columns; i++) {
            var name = new ByteArrayOutputStream();
            for (byte b = body.get(); b != 0; b = body.get()) {
                name.write(b);
            }
            names.add(name.toString(StandardCharsets.UTF_8));
            body.position(body.position() + 18); // table, column, type and its size, modifier, format
        }
    }

    private static Map<String, String> row(ByteBuffer body, List<String> names) {
        Map<String, String> row = new LinkedHashMap<>();
        int columns = body.getShort();
        for (int i = 0; i < columns; i++) {
            byte[] value = new byte[Math.max(0, body.getInt())];
            body.get(value);
            row.put(names.get(i), new String(value, StandardCharsets.UTF_8));
        }
        return row;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
