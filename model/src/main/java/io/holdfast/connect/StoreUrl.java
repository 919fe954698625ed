package io.holdfast.connect;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where a store is and who logs in, taken apart. Its {@code toString} shows only the scheme.
 *
 * @param scheme {@value #POSTGRESQL}
 * @param address host, port, database and the driver's parameters, without credentials: {@code //host:5432/name?ssl=true}
 */
public record StoreUrl(String scheme, String address, String user, String password) {

    /** The one scheme that there is. */
    public static final String POSTGRESQL = "postgresql";

    private static final List<String> SPELLINGS = List.of("jdbc:postgresql", "postgresql", "postgres");

    public StoreUrl {
        Given.value("scheme", scheme);
        Given.value("address", address);
        Given.value("user", user);
        Given.value("password", password);
    }

    /**
     * Reads the scheme, and the rest by it: whatever the database is called, it is no file.
     *
     * @param url {@code postgresql://user:password@host:port/database?parameters}, with {@code postgres:} or
     *     {@code jdbc:postgresql:} as well, in any case. User and password may also be the parameters of these names; what is
     *     not a letter or digit in them is percent-encoded
     * @throws InvalidValueException if it is none of these, or names no user; nothing of it is shown
     */
    public static StoreUrl parse(String url) {
        String text = Given.value("url", url).strip();
        int slashes = text.indexOf("://");
        if (slashes < 0 || !SPELLINGS.contains(text.substring(0, slashes).toLowerCase(Locale.ROOT))) {
            throw new InvalidValueException("url", "begin with postgresql://, postgres:// or jdbc:postgresql://");
        }
        String rest = text.substring(slashes + 3);
        int question = rest.indexOf('?');
        String place = question < 0 ? rest : rest.substring(0, question);
        int slash = place.indexOf('/');
        int at = place.lastIndexOf('@', slash < 0 ? place.length() : slash);
        String login = at < 0 ? "" : place.substring(0, at);
        int colon = login.indexOf(':');
        String user = decoded(colon < 0 ? login : login.substring(0, colon));
        String password = colon < 0 ? "" : decoded(login.substring(colon + 1));
        List<String> parameters = new ArrayList<>();
        for (String parameter :
                question < 0 ? new String[0] : rest.substring(question + 1).split("&")) {
            String name = decoded(parameter.split("=", 2)[0]).toLowerCase(Locale.ROOT);
            if (name.equals("user")) {
                user = decoded(parameter.substring(parameter.indexOf('=') + 1));
            } else if (name.equals("password")) {
                password = decoded(parameter.substring(parameter.indexOf('=') + 1));
            } else {
                parameters.add(parameter);
            }
        }
        if (user.isEmpty()) {
            throw new InvalidValueException("url", "name a user");
        }
        String address =
                "//" + place.substring(at + 1) + (parameters.isEmpty() ? "" : "?" + String.join("&", parameters));
        return new StoreUrl(POSTGRESQL, address, user, password);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8); // a plus is one here
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("url", "have % only before two hex digits");
        }
    }

    @Override
    public String toString() {
        return "StoreUrl[scheme=" + scheme + "]";
    }
}
