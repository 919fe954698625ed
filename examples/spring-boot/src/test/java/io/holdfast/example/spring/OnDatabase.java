package io.holdfast.example.spring;

import io.holdfast.testing.TestDatabase;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The application on a database of its own, which it has migrated itself. */
@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
abstract class OnDatabase {

    static final TestDatabase DATABASE = TestDatabase.empty("spring");

    @DynamicPropertySource
    static void dataSource(DynamicPropertyRegistry properties) {
        properties.add("spring.datasource.url", DATABASE::url);
        properties.add("spring.datasource.username", DATABASE::user);
        properties.add("spring.datasource.password", DATABASE::password);
    }

    static String stored(String sql, String id) {
        return DATABASE.value(sql.formatted("'" + id + "'"));
    }

    static boolean hasRow(String id) {
        return !"0".equals(stored("select count(*) from purchase_order where id = %s", id));
    }

    static boolean hasWorkflow(String id) {
        return !"0".equals(stored("select count(*) from holdfast.workflow where id = %s", id));
    }

    static String revision(String id) {
        return stored("select revision from holdfast.workflow where id = %s", id);
    }

    static String item(String id) {
        return stored("select item from purchase_order where id = %s", id);
    }
}
