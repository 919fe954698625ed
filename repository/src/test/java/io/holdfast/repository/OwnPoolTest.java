package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import org.junit.jupiter.api.Test;

class OwnPoolTest {

    @Test
    void aPoolIsOfUseThoughItsFirstConnectionWasLostWhileItWasAskedForItsIsolation() {
        TestDatabase database = TestDatabase.get();
        try (ServerProxy proxy = ServerProxy.to(database)) {
            ServerProxy.Strike cut = proxy.cutBefore("TRANSACTION ISOLATION LEVEL");
            Settings settings = Settings.of(proxy.url(), database.user(), database.password());
            try (Holdfast holdfast = Holdfast.open(settings)) {
                assertThat(cut.happened()).isTrue();
                Leases leases = holdfast.in(Scope.of("own-pool")).leases();
                assertThat(leases.acquire(LeaseKey.ofWorkflow("w"), "o", Leases.DEFAULT_TTL))
                        .isInstanceOf(Acquisition.Granted.class);
            }
        }
    }
}
