package io.holdfast.example.jakarta;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** A PostgreSQL for the servers, with a database for each argument: prints its port, and stops at the end of its input. */
final class PostgresMain {

    private PostgresMain() {}

    public static void main(String[] args) throws IOException, SQLException {
        var server = EmbeddedPostgres.builder()
                .setServerConfig("max_connections", "200")
                .setPGStartupWait(Duration.ofSeconds(60));
        try (EmbeddedPostgres running = server.start()) {
            try (Connection connection = running.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                for (String database : args) {
                    statement.execute("create database " + database);
                }
            }
            System.out.println(running.getPort());
            while (System.in.read() >= 0) { // whoever started it is still there
            }
        }
    }
}
