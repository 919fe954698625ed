create table "T_PRODUCT" (
    "SKU"    text primary key,
    "TITLE"  text not null,
    "TAGS"   text not null
);
insert into "T_PRODUCT" values ('tea-1', 'Tea', 'kind=green;origin=Uji'), ('pot-1', 'Pot', 'kind=iron');
