package io.holdfast.entity;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.MappingException;
import org.hibernate.annotations.TypeBinderType;
import org.hibernate.binder.TypeBinder;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.Namespace;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;

/**
 * The entity's table, its columns and its schema are called what the mapping calls them. What the persistence unit's physical
 * naming strategy would make of that, prefixes say, is for the application's tables: ours are made by our migrations.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@TypeBinderType(binder = NamedAsMapped.Binder.class)
@interface NamedAsMapped {

    /** For Hibernate, at the start of a persistence unit. */
    final class Binder implements TypeBinder<NamedAsMapped> {

        /** For Hibernate. */
        public Binder() {}

        @Override
        public void bind(NamedAsMapped annotation, MetadataBuildingContext context, PersistentClass entity) {
            InFlightMetadataCollector names = context.getMetadataCollector();
            Table table = entity.getTable();
            // Before anything is renamed: names are looked up by the table, which is equal by its own name.
            Map<Column, Identifier> columns = columns(names, table);
            Identifier name = Identifier.toIdentifier(names.getLogicalTableName(table));
            if (!name.getText().equals(table.getName())) {
                table.setName(name.render());
                names.addTableNameBinding(name, table);
            }
            schema(names, table);
            columns.forEach((column, mapped) -> {
                if (!mapped.getText().equals(column.getName())) {
                    column.setName(mapped.render());
                }
                names.addColumnNameBinding(table, mapped, column);
            });
            table.reorderColumns(List.copyOf(columns.keySet()));
        }

        private static Map<Column, Identifier> columns(InFlightMetadataCollector names, Table table) {
            Map<Column, Identifier> columns = new LinkedHashMap<>();
            for (Column column : table.getColumns()) {
                Identifier physical = new Identifier(column.getName(), column.isQuoted());
                columns.put(column, Identifier.toIdentifier(names.getLogicalColumnName(table, physical)));
            }
            return columns;
        }

        /** None is the unit's default schema, which is the application's to name. */
        private static void schema(InFlightMetadataCollector names, Table table) {
            for (Namespace namespace : names.getDatabase().getNamespaces()) {
                Identifier mapped = namespace.getName().schema();
                if (mapped != null
                        && namespace.getTables().contains(table)
                        && !mapped.getText().equals(table.getSchema())) {
                    table.setSchema(mapped.render());
                }
            }
        }

        @Override
        public void bind(NamedAsMapped annotation, MetadataBuildingContext context, Component embeddable) {
            throw new MappingException("Not for embeddables");
        }
    }
}
