package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KeeperThreadsTest {

    /** Two loops that are interrupted close the keeper both: what one still has to tell, the other must not refuse. */
    @Test
    void aCallbackThatComesAfterTheCloseIsCalledOnAThreadOfTheHosts() throws InterruptedException {
        CountDownLatch called = new CountDownLatch(1);
        KeeperThreads threads = KeeperThreads.madeBy(Optional.of(task -> new Thread(task, "the host's")));
        threads.close();
        threads.executor().execute(() -> {
            if (Thread.currentThread().getName().equals("the host's")) {
                called.countDown();
            }
        });
        assertThat(called.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
