create table "T_PURCHASE_ORDER" (
    "ID"         text primary key,
    "SKU"        text not null,
    "PLACED_AT"  text not null,   -- as the shop's converter writes times
    "SHIPPED_AT" text,
    "DELIVERY"   jsonb not null
);
