package io.holdfast.example.jakarta;

import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.PersistenceUnit;

// snippet: container-unit
/** The persistence unit where the server manages it. */
@Dependent
@SuppressWarnings("NullAway.Init") // the server fills the fields
public class ContainerUnit {

    @Produces
    @PersistenceContext(unitName = "orders")
    EntityManager entityManager;

    @Produces
    @PersistenceUnit(unitName = "orders")
    EntityManagerFactory factory;
}
// end
