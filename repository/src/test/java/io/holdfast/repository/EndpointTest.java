package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db.example/app",
                "jdbc:postgresql://one:5432,two:5432/app?targetServerType=primary&sslmode=verify-full",
                "jdbc:postgresql://db.example/app?options=-c%20statement_timeout=90000",
                "jdbc:postgresql:app"
            })
    void aUrlOfPostgreSqlIsTaken(String url) {
        assertThat(new Endpoint(url, "user", "password").url()).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db.example/app?password=mark3r-S3cret",
                "jdbc:postgresql://db.example/app?sslmode=require&user=mark3r-S3cret",
                "jdbc:postgresql://db.example/app?PASSWORD=mark3r-S3cret",
                "jdbc:postgresql://db.example/app?p%61ssword=mark3r-S3cret",
                "jdbc:postgresql://db.example/app?sslpassword=mark3r-S3cret",
                "jdbc:postgresql://app:mark3r-S3cret@db.example/app"
            })
    void aUrlWithCredentialsIsRefusedAndNotRepeated(String url) {
        assertThatThrownBy(() -> new Endpoint(url, "user", "password"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("url must carry no credentials")
                .hasNoCause()
                .message()
                .doesNotContain("mark3r");
    }

    @Test
    void aUrlOfAnotherDatabaseIsRefused() {
        assertThatThrownBy(() -> new Endpoint("jdbc:mysql://db.example/app", "user", "password"))
                .isInstanceOf(InvalidValueException.class);
    }

    @Test
    void neitherUrlNorCredentialsAreShown() {
        Endpoint endpoint = new Endpoint("jdbc:postgresql://db.example/app", "mark3r-user", "mark3r-S3cret");
        assertThat(endpoint).asString().doesNotContain("db.example", "mark3r");
        assertThat(Settings.DEFAULT.withEndpoint(endpoint)).asString().doesNotContain("db.example", "mark3r");
    }
}
