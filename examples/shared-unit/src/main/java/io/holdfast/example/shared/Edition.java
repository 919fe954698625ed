package io.holdfast.example.shared;

import jakarta.persistence.PersistenceConfiguration;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** How the shop is run: what is looked for in which schema. */
enum Edition {

    /** For many tenants: the products in one schema, each tenant's orders in a schema of its own. */
    HOSTED {
        // snippet: tenants
        @Override
        void configure(PersistenceConfiguration unit, DataSource pool, Tenants tenants) {
            unit.mappingFile("META-INF/catalogue-orm.xml") // schema SHOP; an order has none, the search path decides
                    .property("hibernate.multi_tenant_connection_provider", new TenantSchemas(pool))
                    .property("hibernate.tenant_identifier_resolver", tenants);
        }
        // end

        @Override
        Set<String> orderSchemas(Set<String> tenants) {
            return tenants.stream().map(TenantSchemas::schemaOf).collect(Collectors.toSet());
        }
    },

    /** For a customer who runs it alone: everything in the unit's default schema. */
    ON_PREMISES {
        @Override
        void configure(PersistenceConfiguration unit, DataSource pool, Tenants tenants) {
            unit.managedClass(Product.class)
                    .property("jakarta.persistence.nonJtaDataSource", pool)
                    .property("hibernate.default_schema", '"' + SHOP + '"')
                    .property("hibernate.hbm2ddl.auto", "validate");
        }

        @Override
        Set<String> orderSchemas(Set<String> tenants) {
            return Set.of(SHOP);
        }
    };

    static final String SHOP = "SHOP";

    abstract void configure(PersistenceConfiguration unit, DataSource pool, Tenants tenants);

    abstract Set<String> orderSchemas(Set<String> tenants);
}
