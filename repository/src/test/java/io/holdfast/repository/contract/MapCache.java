package io.holdfast.repository.contract;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.cache.cfg.spi.DomainDataRegionBuildingContext;
import org.hibernate.cache.cfg.spi.DomainDataRegionConfig;
import org.hibernate.cache.spi.support.DomainDataStorageAccess;
import org.hibernate.cache.spi.support.RegionFactoryTemplate;
import org.hibernate.cache.spi.support.StorageAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/** A second-level cache in maps, which can be looked into. */
public final class MapCache extends RegionFactoryTemplate {

    private static final long serialVersionUID = 1L;

    private final transient Map<String, Region> regions = new ConcurrentHashMap<>();

    /** Everything in every region, by region and key: what nobody but the host may change. */
    Map<String, Map<Object, Object>> contents() {
        Map<String, Map<Object, Object>> contents = new TreeMap<>();
        regions.forEach((name, region) -> contents.put(name, Map.copyOf(region.entries)));
        return contents;
    }

    @Override
    protected DomainDataStorageAccess createDomainDataStorageAccess(
            DomainDataRegionConfig config, DomainDataRegionBuildingContext context) {
        return region(config.getRegionName());
    }

    @Override
    protected StorageAccess createQueryResultsRegionStorageAccess(String name, SessionFactoryImplementor factory) {
        return region(name);
    }

    @Override
    protected StorageAccess createTimestampsRegionStorageAccess(String name, SessionFactoryImplementor factory) {
        return region(name);
    }

    private Region region(String name) {
        return regions.computeIfAbsent(name, n -> new Region());
    }

    @Override
    protected void prepareForUse(SessionFactoryOptions settings, Map<String, Object> values) {}

    @Override
    protected void releaseFromUse() {}

    private static final class Region implements DomainDataStorageAccess {

        private final Map<Object, Object> entries = new ConcurrentHashMap<>();

        @Override
        public Object getFromCache(Object key, SharedSessionContractImplementor session) {
            return entries.get(key);
        }

        @Override
        public void putIntoCache(Object key, Object value, SharedSessionContractImplementor session) {
            entries.put(key, value);
        }

        @Override
        public boolean contains(Object key) {
            return entries.containsKey(key);
        }

        @Override
        public void evictData() {
            entries.clear();
        }

        @Override
        public void evictData(Object key) {
            entries.remove(key);
        }

        @Override
        public void release() {}
    }
}
