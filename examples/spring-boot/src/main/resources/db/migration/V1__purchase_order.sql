create table purchase_order (
    id        text   not null constraint purchase_order_pk primary key,
    item      text   not null,
    quantity  int    not null constraint purchase_order_quantity_positive check (quantity > 0),
    stage     text   not null,
    version   bigint not null
);
comment on table purchase_order is 'What was ordered, and how far it is; its workflow has the same id.';
