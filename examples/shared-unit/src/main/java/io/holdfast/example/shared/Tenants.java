package io.holdfast.example.shared;

import java.util.function.Supplier;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;

/** For which tenant a thread works. What sits in front of the shop says it: a filter, a message listener. */
final class Tenants implements CurrentTenantIdentifierResolver<String> {

    /** Outside any tenant's business: whoever renews leases, or looks after all tenants' rows. */
    static final String NOBODY = "nobody";

    private final ThreadLocal<String> current = ThreadLocal.withInitial(() -> NOBODY);

    <R> R as(String tenant, Supplier<R> work) {
        String before = current.get();
        current.set(tenant);
        try {
            return work.get();
        } finally {
            current.set(before);
        }
    }

    @Override
    public String resolveCurrentTenantIdentifier() {
        return current.get();
    }

    @Override
    public boolean validateExistingCurrentSessions() {
        return true;
    }
}
