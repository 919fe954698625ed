package io.holdfast;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.INTERFACES;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchConditions.haveNameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import jakarta.persistence.EntityManager;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.hibernate.SharedSessionContract;

/** Who may know whom, in the classes of the published modules. A rule that finds no class to check fails. */
@AnalyzeClasses(packages = "io.holdfast", importOptions = ArchitectureTest.Published.class)
class ArchitectureTest {

    private static final DescribedPredicate<JavaClass> CONTRACTS = resideInAPackage("io.holdfast..")
            .and(not(
                    resideInAnyPackage("io.holdfast.entity..", "io.holdfast.repository..", "io.holdfast.migrations..")))
            .as("contracts and values");

    @ArchTest
    static final ArchRule contractsKnowNoObjectRelationalMapper = noClasses()
            .that(CONTRACTS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.hibernate..", "io.hypersistence..", "jakarta.persistence..", "jakarta.transaction..");

    /** All but the failures: an SQLState is read from an SQLException. */
    @ArchTest
    static final ArchRule contractsKnowNoDatabase = noClasses()
            .that(CONTRACTS.and(not(resideInAPackage("io.holdfast.failure"))))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..", "org.flywaydb..");

    @ArchTest
    static final ArchRule contractsKnowNoEntityAndNoStore = noClasses()
            .that(CONTRACTS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.holdfast.entity..", "io.holdfast.repository..", "io.holdfast.migrations..");

    @ArchTest
    static final ArchRule entitiesKnowNoStore = noClasses()
            .that()
            .resideInAPackage("io.holdfast.entity..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.holdfast.repository..", "io.holdfast.migrations..");

    @ArchTest
    static final ArchRule migrationsKnowNoStoreAndNoHibernate = noClasses()
            .that()
            .resideInAPackage("io.holdfast.migrations..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.holdfast.repository..", "io.holdfast.entity..", "org.hibernate..", "jakarta.persistence..");

    /** A new name here is a new promise to users. */
    @ArchTest
    static final ArchRule onlyTheFacadeIsPublic = classes()
            .that()
            .resideInAPackage("io.holdfast.repository..")
            .and()
            .arePublic()
            .and()
            .areTopLevelClasses()
            .should(
                    haveNameMatching(
                            "io\\.holdfast\\.repository\\.(Endpoint|Holdfast|KeeperState|Keeping|KeptLease|LeaseKeeper|LeaseKeeperSettings|Observer|Operation|Outcome|PostgresRepositoryProvider|Readiness|Setting|Settings|Stores)"));

    @ArchTest
    static final ArchRule packagesOfTheModelHaveNoCycles =
            slices().matching("io.holdfast.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule aContractHasAtMostNineMethodsAllMandatory = classes()
            .that(CONTRACTS)
            .and()
            .areInterfaces()
            .and()
            .areTopLevelClasses()
            .and(not(DescribedPredicate.describe(
                    "are sealed", type -> type.reflect().isSealed())))
            .should(haveAtMostNineMandatoryMethods());

    @ArchTest
    static final ArchRule theClockOfTheMachineIsNotAsked = noClasses()
            .should()
            .callMethodWhere(target(owner(resideInAPackage("java.time"))).and(target(name("now"))))
            .orShould()
            .callMethodWhere(
                    target(owner(assignableTo("java.time.Clock"))).and(target(nameMatching("system.*|tick.*"))))
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.Date")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo("java.util.Calendar")
            .because("the database's clock decides");

    @ArchTest
    static final ArchRule nothingSleeps = noClasses()
            .should()
            .callMethodWhere(target(owner(assignableTo(Thread.class))).and(target(name("sleep"))));

    /** Who keeps a connection holds a pooler's server, and a transaction that nobody ends. */
    @ArchTest
    static final ArchRule onlyTheSeamKeepsAConnection = noFields()
            .that()
            .areDeclaredInClassesThat(resideInAPackage("io.holdfast.repository..")
                    .and(not(nameMatching(
                            ".*\\.(BoundTransactions|CallersTransaction|JoiningTransactions|Statements)(\\$.*)?"))))
            .should()
            .haveRawType(assignableTo(Connection.class)
                    .or(assignableTo(EntityManager.class))
                    .or(assignableTo(SharedSessionContract.class))
                    .or(assignableTo(ThreadLocal.class)));

    /** What is read late is read when the connection is somebody else's. */
    @ArchTest
    static final ArchRule noContractAnswersLazily = noMethods()
            .that()
            .areDeclaredInClassesThat(CONTRACTS.and(INTERFACES))
            .should()
            .haveRawReturnType(assignableTo(BaseStream.class)
                    .or(assignableTo(Iterator.class))
                    .or(assignableTo(Supplier.class)));

    @ArchTest
    static final ArchRule nothingIsPrinted = NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

    @ArchTest
    static void everyPackageOfTheModelIsExported(JavaClasses ignored) throws URISyntaxException {
        Path model = Path.of(
                Scope.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        ModuleDescriptor descriptor =
                ModuleFinder.of(model).find("io.holdfast.model").orElseThrow().descriptor();
        assertThat(descriptor.exports().stream().map(ModuleDescriptor.Exports::source))
                .containsExactlyInAnyOrderElementsOf(descriptor.packages());
    }

    private static ArchCondition<JavaClass> haveAtMostNineMandatoryMethods() {
        return new ArchCondition<>("have at most nine methods, all of them abstract") {
            @Override
            public void check(JavaClass contract, ConditionEvents events) {
                List<Method> methods = Stream.of(contract.reflect().getDeclaredMethods())
                        .filter(method -> !method.isSynthetic() && !Modifier.isStatic(method.getModifiers()))
                        .toList();
                boolean small = methods.size() <= 9 && methods.stream().noneMatch(Method::isDefault);
                events.add(new SimpleConditionEvent(contract, small, contract.getName() + " has " + methods));
            }
        };
    }

    /** Leaves out test classes, whether a build has them in a folder or in a jar. */
    static final class Published implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/") && !location.contains("-tests.jar");
        }
    }
}
