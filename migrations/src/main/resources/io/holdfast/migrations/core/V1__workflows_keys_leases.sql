-- Component core, version 1: workflow states, idempotency keys, leases.
-- The scope is the first column of every key and index: one tenant is one contiguous range, and the tables can be
-- distributed by it. Text that is compared or sorted is collate "C": byte order, the same on every machine.
-- Lengths are checked apart from the pattern: each insert and update checks every column again, and a pattern that counts,
-- such as {0,127}, takes 35 microseconds where one with * takes less than one.

create table ${schema}.workflow (
    scope            text        not null collate "C" constraint workflow_scope_length check (octet_length(scope) <= 255),
    id               text        not null collate "C" constraint workflow_id_format check (octet_length(id) <= 128 and id ~ '^[A-Za-z0-9][A-Za-z0-9_.-]*$'),
    incarnation      uuid        not null default gen_random_uuid(),
    request_id       text        not null collate "C" constraint workflow_request_id_format check (octet_length(request_id) <= 128 and request_id ~ '^[A-Za-z0-9][A-Za-z0-9_.-]*$'),
    status           text        not null collate "C" constraint workflow_status_known
                                 check (status in ('created', 'queued', 'running', 'succeeded', 'failed', 'closed')),
    revision         bigint      not null constraint workflow_revision_positive check (revision >= 1),
    snapshot         text        not null constraint workflow_snapshot_length check (octet_length(snapshot) between 2 and 1048576),
    labels           jsonb       not null default '{}' constraint workflow_labels_object check (jsonb_typeof(labels) = 'object'),
    cancel_requested_at timestamptz,
    cancel_reason    text        constraint workflow_cancel_reason_length check (length(cancel_reason) between 1 and 256),
    created_at       timestamptz not null default clock_timestamp(),
    updated_at       timestamptz not null default clock_timestamp(),
    -- Generated, so that no writer can forget it; and the only time that is indexed, so that the updates of a living
    -- workflow stay heap-only: an index on updated_at would end that even for rows a partial index leaves out.
    finished_at      timestamptz generated always as (case when status in ('succeeded', 'failed', 'closed') then updated_at end) stored,
    constraint workflow_pk primary key (scope, id),
    constraint workflow_cancel_complete check (cancel_reason is null or cancel_requested_at is not null)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);   -- updated in place with every step: leave room for heap-only updates

create index workflow_finished on ${schema}.workflow (scope, finished_at, id) where finished_at is not null;

comment on table ${schema}.workflow is 'The state of each workflow: its last snapshot and the revision that an update has to name.';
comment on column ${schema}.workflow.scope is 'Whose workflow it is: tenant or workspace; empty when unscoped.';
comment on column ${schema}.workflow.id is 'The workflow''s id, unique within its scope.';
comment on column ${schema}.workflow.incarnation is 'Made anew with every row: a workflow that is removed and created again under the same id is another one.';
comment on column ${schema}.workflow.request_id is 'The request that started it; never changes.';
comment on column ${schema}.workflow.status is 'Where it stands: created, queued, running, succeeded, failed or closed. Equal to the status inside the snapshot.';
comment on column ${schema}.workflow.revision is 'Counts the writes of the state, from 1; the compare-and-set value. A cancellation request does not change it.';
comment on column ${schema}.workflow.snapshot is 'The state as canonical JSON, byte-exact; text, because jsonb would change the bytes.';
comment on column ${schema}.workflow.labels is 'Names and values given at creation, to search by.';
comment on column ${schema}.workflow.cancel_requested_at is 'When cancellation was first asked for; no write of the state can take it back.';
comment on column ${schema}.workflow.cancel_reason is 'Why, as the first who asked put it.';
comment on column ${schema}.workflow.created_at is 'When the row was made, by the database''s clock.';
comment on column ${schema}.workflow.updated_at is 'When the state was last written, by the database''s clock.';
comment on column ${schema}.workflow.finished_at is 'When it reached a terminal status; what retention goes by.';
comment on index ${schema}.workflow_finished is 'Retention: terminal workflows of a scope, oldest first.';

create index workflow_age on ${schema}.workflow (scope, created_at, id);
create index workflow_status on ${schema}.workflow (scope, status, created_at, id);
comment on index ${schema}.workflow_age is 'Lists, oldest first.';
comment on index ${schema}.workflow_status is 'Lists of a status, oldest first. A status changes a few times in a life, so most updates stay heap-only.';

create table ${schema}.workflow_label (
    scope            text        not null collate "C" constraint workflow_label_scope_length check (octet_length(scope) <= 255),
    name             text        not null collate "C" constraint workflow_label_name_format check (octet_length(name) <= 128 and name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]*$'),
    value            text        not null collate "C" constraint workflow_label_value_length check (octet_length(value) <= 256),
    created_at       timestamptz not null,
    id               text        not null collate "C" constraint workflow_label_id_length check (octet_length(id) <= 128),
    constraint workflow_label_pk primary key (scope, name, value, created_at, id),
    constraint workflow_label_of_workflow foreign key (scope, id) references ${schema}.workflow on delete cascade
);

create index workflow_label_of on ${schema}.workflow_label (scope, id);

comment on table ${schema}.workflow_label is 'The labels of workflows once more, to search by: those with a label, oldest first.';
comment on column ${schema}.workflow_label.scope is 'Whose workflow it is.';
comment on column ${schema}.workflow_label.name is 'The label''s name.';
comment on column ${schema}.workflow_label.value is 'Its value.';
comment on column ${schema}.workflow_label.created_at is 'When the workflow was created: the order of a list.';
comment on column ${schema}.workflow_label.id is 'The workflow that has it.';
comment on index ${schema}.workflow_label_of is 'The labels that go with a workflow that is removed.';

create table ${schema}.idempotency_key (
    scope            text        not null collate "C" constraint idempotency_key_scope_length check (octet_length(scope) <= 255),
    key              text        not null collate "C" constraint idempotency_key_format check (octet_length(key) <= 128 and key ~ '^[A-Za-z0-9][A-Za-z0-9_.:-]*$'),
    reservation      bigint      not null constraint idempotency_key_reservation_positive check (reservation >= 1),
    request_id       text        not null collate "C" constraint idempotency_key_request_id_format check (octet_length(request_id) <= 128 and request_id ~ '^[A-Za-z0-9][A-Za-z0-9_.-]*$'),
    workflow_id      text        not null collate "C" constraint idempotency_key_workflow_id_format check (octet_length(workflow_id) <= 128 and workflow_id ~ '^[A-Za-z0-9][A-Za-z0-9_.-]*$'),
    status           text        not null collate "C" constraint idempotency_key_status_known check (status in ('reserved', 'completed')),
    outcome          text        collate "C" constraint idempotency_key_outcome_format check (octet_length(outcome) = 71 and outcome ~ '^sha256:[0-9a-f]*$'),
    keep_ms          bigint      constraint idempotency_key_keep_bounds check (keep_ms between 1 and 315360000000),
    created_at       timestamptz not null default clock_timestamp(),
    updated_at       timestamptz not null default clock_timestamp(),
    expires_at       timestamptz constraint idempotency_key_expiry_finite check (isfinite(expires_at)),   -- never is null, not infinity
    constraint idempotency_key_pk primary key (scope, key),
    constraint idempotency_key_outcome_when_completed check ((status = 'completed') = (outcome is not null))
) with (fillfactor = 80);   -- written twice: reserved, completed

create index idempotency_key_expiry on ${schema}.idempotency_key (scope, expires_at, key) where expires_at is not null;

comment on table ${schema}.idempotency_key is 'What was asked for already, and how it ended: at most one execution per key while the key lives.';
comment on column ${schema}.idempotency_key.scope is 'Whose key it is: tenant or workspace; empty when unscoped.';
comment on column ${schema}.idempotency_key.key is 'The idempotency key, unique within its scope.';
comment on column ${schema}.idempotency_key.reservation is 'Number of the reservation, greater than that of any before it, also of rows removed since; a key taken over after it lapsed is another reservation, which its former holder cannot complete.';
comment on column ${schema}.idempotency_key.request_id is 'The request that reserved it.';
comment on column ${schema}.idempotency_key.workflow_id is 'The workflow that works on that request; a live lease of it keeps a reserved key from lapsing.';
comment on column ${schema}.idempotency_key.status is 'reserved while the work is under way, completed when its outcome is known.';
comment on column ${schema}.idempotency_key.outcome is 'Fingerprint of the outcome; only of a completed key.';
comment on column ${schema}.idempotency_key.keep_ms is 'How long it is kept, in milliseconds: while reserved, and anew from its completion; null: for ever.';
comment on column ${schema}.idempotency_key.created_at is 'When this reservation was made, by the database''s clock.';
comment on column ${schema}.idempotency_key.updated_at is 'When it was last written, by the database''s clock.';
comment on column ${schema}.idempotency_key.expires_at is 'From when on it may be reserved anew or removed; null: never.';
comment on index ${schema}.idempotency_key_expiry is 'Retention: expired keys of a scope, oldest first.';

create table ${schema}.lease (
    scope            text        not null collate "C" constraint lease_scope_length check (octet_length(scope) <= 255),
    kind             text        not null collate "C" constraint lease_kind_format check (octet_length(kind) <= 63 and kind ~ '^[a-z][a-z0-9_.-]*$'),
    id               text        not null collate "C" constraint lease_id_length check (octet_length(id) between 1 and 1024),
    owner            text        collate "C" constraint lease_owner_format check (octet_length(owner) <= 128 and owner ~ '^[A-Za-z0-9][A-Za-z0-9_.-]*$'),
    token            bigint      not null constraint lease_token_positive check (token >= 1),
    ttl_ms           bigint      not null constraint lease_ttl_bounds check (ttl_ms between 1000 and 86400000),
    granted_at       timestamptz not null,
    expires_at       timestamptz not null constraint lease_expiry_finite check (isfinite(expires_at)),
    constraint lease_pk primary key (scope, kind, id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);   -- renewed all day: no index but the key, room for heap-only updates, vacuumed early

comment on table ${schema}.lease is 'Who may work on what, until when; the fencing token of every grant. A row outlives release and expiry, so that tokens only grow.';
comment on column ${schema}.lease.scope is 'Whose lease it is: tenant or workspace; empty when unscoped.';
comment on column ${schema}.lease.kind is 'What is leased: workflow, or a constant of the application.';
comment on column ${schema}.lease.id is 'Which one of that kind.';
comment on column ${schema}.lease.owner is 'Who holds it; null after a release.';
comment on column ${schema}.lease.token is 'Fencing token: one more with every grant, never reused.';
comment on column ${schema}.lease.ttl_ms is 'For how long it is granted and renewed, in milliseconds.';
comment on column ${schema}.lease.granted_at is 'When the present token was granted, by the database''s clock.';
comment on column ${schema}.lease.expires_at is 'Held while this is later than the database''s clock; the moment of the release after one.';

create table ${schema}.lease_floor (
    scope            text        not null collate "C" constraint lease_floor_scope_length check (octet_length(scope) <= 255),
    floor            bigint      not null default 0 constraint lease_floor_not_negative check (floor >= 0),
    constraint lease_floor_pk primary key (scope)
);

comment on table ${schema}.lease_floor is 'The highest token among the lease rows that retention has removed, per scope; new rows start above it. Made before the scope''s first lease.';
comment on column ${schema}.lease_floor.scope is 'Whose leases; empty when unscoped.';
comment on column ${schema}.lease_floor.floor is 'New lease rows of this scope get a token above this one.';
