-- Component core, version 1: workflow states, idempotency keys, leases; the steps of a worker.
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

-- A condition that always holds, and that the planner only sees to hold where a statement asks for a time or a status. Who looks for
-- a workflow by its id does not, so no index is left but that of the key: else, of a scope of which it expects next to nothing, the
-- planner takes any index that begins with it for as good, and reads all that the scope has.
create index workflow_age on ${schema}.workflow (scope, created_at, id) where created_at is not null;
create index workflow_status on ${schema}.workflow (scope, status, created_at, id) where status is not null;
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

-- The steps of a worker, as functions: each is judged in one place, whoever wins, in one round trip.
-- A statement of its own for each lock, so each sees what is stored once it has the lock (at READ COMMITTED), and one judgement
-- behind them all. The order of locks is that of every statement: leases in the order of their keys, state, key. A function
-- that has answered otherwise than by a write has written nothing. No block catches an error: that would be a subtransaction.
--
-- They run with the rights of who calls them. Every table is named with its schema; operators and clock_timestamp() are looked
-- for as in any statement that the caller sends. A name ends in a version: a later release adds the next beside it and leaves
-- this one until the release after. The quotes are longer than any schema's name, which stands between them.

create function ${schema}.step_others_end_v1(in_scope text, in_workflow text, other text, key_ends timestamptz) returns timestamptz
language plpgsql as $a_text_of_holdfasts_that_no_name_of_a_schema_is_long_enough_to_end$
declare
    ends timestamptz;
begin
    select 'infinity' into ends from ${schema}.lease x   -- a live one is not waited for
     where x.scope = in_scope and x.kind = 'workflow' and x.id = other
       and x.owner is not null and x.expires_at > clock_timestamp() and x.granted_at < key_ends;
    if ends is null then
        perform from ${schema}.lease x   -- relied on to be dead: with ours, in the order of keys
          where x.scope = in_scope and x.kind = 'workflow' and x.id in (in_workflow, other)
          order by x.id for no key update of x;
        select x.expires_at into ends from ${schema}.lease x
         where x.scope = in_scope and x.kind = 'workflow' and x.id = other
           and x.owner is not null and x.granted_at < key_ends;
    end if;
    return ends;
end
$a_text_of_holdfasts_that_no_name_of_a_schema_is_long_enough_to_end$;

comment on function ${schema}.step_others_end_v1 is 'Until when another workflow is at work on a key that has expired, which then does not lapse; null if it is not. Locks its lease, unless that is alive, and first the caller''s if that comes before.';

create function ${schema}.step_begin_v1(
    patience text, in_scope text, in_workflow text, in_key text, in_request text, in_keep_ms bigint, in_owner text, in_token bigint,
    out verdict text, out reservation bigint, out outcome text,
    out ttl_ms bigint, out granted_at timestamptz, out expires_at timestamptz, out remaining_micros bigint)
language plpgsql as $a_text_of_holdfasts_that_no_name_of_a_schema_is_long_enough_to_end$
#variable_conflict use_column
declare
    bounded text;
    keyed record;
    held record;
    lapsing bigint;             -- the reservation whose workflow's lease was looked at
    others_end timestamptz;
    moment timestamptz;
begin
    if patience is not null then
        bounded := set_config('lock_timeout', patience, true);
    end if;
    select i.reservation, i.request_id, i.workflow_id, i.status, i.outcome, i.expires_at into keyed
      from ${schema}.idempotency_key i where i.scope = in_scope and i.key = in_key;
    if keyed.expires_at <= clock_timestamp() and keyed.status = 'reserved' and keyed.workflow_id <> in_workflow then
        lapsing := keyed.reservation;
        others_end := ${schema}.step_others_end_v1(in_scope, in_workflow, keyed.workflow_id, keyed.expires_at);
    end if;
    select x.owner, x.token, x.granted_at, x.expires_at into held from ${schema}.lease x
     where x.scope = in_scope and x.kind = 'workflow' and x.id = in_workflow for no key update of x;
    for pass in 1 .. 3 loop
        if keyed.reservation is not null or pass > 1 then   -- looked at again: it may have been completed while we waited
            select i.reservation, i.request_id, i.workflow_id, i.status, i.outcome, i.expires_at into keyed
              from ${schema}.idempotency_key i where i.scope = in_scope and i.key = in_key for no key update of i;
        end if;
        moment := clock_timestamp();
        verdict := case
            when held.owner is null then 'LOST_NONE'
            when held.owner <> in_owner or held.token <> in_token then 'LOST_SUPERSEDED'
            when held.expires_at <= moment then 'LOST_EXPIRED'
            when keyed.reservation is null then 'NEW'
            when keyed.status not in ('reserved', 'completed') then 'UNKNOWN'   -- a newer release's: not ours to let lapse
            when keyed.expires_at <= moment and keyed.status = 'completed' then 'LAPSED'
            when keyed.expires_at <= moment and keyed.workflow_id <> in_workflow and keyed.reservation is distinct from lapsing
                then 'AGAIN'   -- whose lease has not been looked at
            when keyed.expires_at <= moment
                and case when keyed.workflow_id = in_workflow then held.granted_at < keyed.expires_at else others_end > moment end
                is not true then 'LAPSED'
            when keyed.request_id <> in_request then 'REQUEST'
            when keyed.workflow_id <> in_workflow then 'WORKFLOW'
            when keyed.status = 'completed' then 'COMPLETED'
            else 'RESUMED' end;
        exit when verdict <> 'NEW';
        -- Numbered by the clock, beyond any former row of this key: no claim on a removed one fits.
        insert into ${schema}.idempotency_key as i (scope, key, reservation, request_id, workflow_id, status, keep_ms, expires_at)
        values (in_scope, in_key, cast(extract(epoch from moment) * 1000000 as bigint), in_request, in_workflow, 'reserved',
                in_keep_ms, moment + in_keep_ms * interval '1 millisecond')
            on conflict (scope, key) do nothing
        returning i.reservation into reservation;
        exit when reservation is not null;
        verdict := 'AGAIN';   -- a rival was first
    end loop;
    if verdict = 'NEW' and clock_timestamp() > moment + in_keep_ms * interval '0.1 milliseconds' then
        moment := clock_timestamp();   -- the insert waited for a rival: part of its time is gone
        update ${schema}.idempotency_key i
           set created_at = moment, updated_at = moment, expires_at = moment + in_keep_ms * interval '1 millisecond'
         where i.scope = in_scope and i.key = in_key;
    end if;
    if verdict = 'LAPSED' then
        update ${schema}.idempotency_key i
           set reservation = i.reservation + 1, request_id = in_request, workflow_id = in_workflow, status = 'reserved', outcome = null,
               keep_ms = in_keep_ms, created_at = moment, updated_at = moment, expires_at = moment + in_keep_ms * interval '1 millisecond'
         where i.scope = in_scope and i.key = in_key
        returning i.reservation into reservation;
        verdict := 'NEW';
    end if;
    if verdict in ('NEW', 'COMPLETED', 'RESUMED') then
        reservation := coalesce(reservation, keyed.reservation);
        outcome := keyed.outcome;
        update ${schema}.lease x set expires_at = greatest(x.expires_at, clock_timestamp() + x.ttl_ms * interval '1 millisecond')
         where x.scope = in_scope and x.kind = 'workflow' and x.id = in_workflow
        returning x.ttl_ms, x.granted_at, x.expires_at into ttl_ms, granted_at, expires_at;
        remaining_micros := cast(extract(epoch from expires_at - clock_timestamp()) * 1000000 as bigint);
    end if;
end
$a_text_of_holdfasts_that_no_name_of_a_schema_is_long_enough_to_end$;

comment on function ${schema}.step_begin_v1 is 'The beginning of a step: the lease renewed and the key reserved, or neither.';

create function ${schema}.step_finish_v1(
    patience text, in_scope text, in_workflow text, in_incarnation uuid, in_revision bigint, was text, becomes text, in_snapshot text,
    legal boolean, in_key text, in_reservation bigint, in_outcome text, release boolean, in_owner text, in_token bigint,
    out verdict text, out revision bigint, out status text, out cancel_requested_at timestamptz, out cancel_reason text,
    out updated_at timestamptz, out key_outcome text)
language plpgsql as $a_text_of_holdfasts_that_no_name_of_a_schema_is_long_enough_to_end$
#variable_conflict use_column
declare
    bounded text;
    held record;
    stored record;
    keyed record;
    moment timestamptz;
begin
    if patience is not null then
        bounded := set_config('lock_timeout', patience, true);
    end if;
    -- At once in the mode that a release needs: locks are never upgraded.
    select x.owner, x.token, x.expires_at into held from ${schema}.lease x
     where x.scope = in_scope and x.kind = 'workflow' and x.id = in_workflow for no key update of x;
    select w.incarnation, w.revision, w.status, w.cancel_requested_at, w.cancel_reason, w.updated_at,
           w.revision = in_revision + 1 and w.snapshot = in_snapshot as same into stored
      from ${schema}.workflow w where w.scope = in_scope and w.id = in_workflow for no key update of w;
    select i.reservation, i.workflow_id, i.status, i.outcome into keyed
      from ${schema}.idempotency_key i where i.scope = in_scope and i.key = in_key for no key update of i;
    moment := clock_timestamp();
    verdict := case
        when stored.incarnation is null or stored.incarnation <> in_incarnation then 'NOT_FOUND'
        when stored.same and keyed.outcome = in_outcome and keyed.workflow_id = in_workflow then 'ALREADY_APPLIED'   -- whatever the fence says
        when held.owner is null then 'LOST_NONE'
        when held.owner <> in_owner or held.token <> in_token then 'LOST_SUPERSEDED'
        when held.expires_at <= moment then 'LOST_EXPIRED'
        when stored.status in ('succeeded', 'failed', 'closed') then 'TERMINAL'
        when stored.status <> was then 'STATUS'
        when stored.revision <> in_revision then 'REVISION'
        when not legal then 'HISTORY'
        when keyed.reservation is null then 'KEY_NOT_FOUND'
        when keyed.workflow_id <> in_workflow then 'KEY_WORKFLOW'
        when keyed.reservation <> in_reservation then 'KEY_RESERVATION'
        when keyed.status not in ('reserved', 'completed') then 'KEY_UNKNOWN'   -- a newer release's: not ours to complete
        when keyed.status = 'completed' then 'KEY_COMPLETED'
        else 'DONE' end;
    revision := stored.revision;
    status := stored.status;
    cancel_requested_at := stored.cancel_requested_at;
    cancel_reason := stored.cancel_reason;
    updated_at := stored.updated_at;
    key_outcome := keyed.outcome;
    if verdict = 'DONE' then
        update ${schema}.workflow w set revision = w.revision + 1, status = becomes, snapshot = in_snapshot, updated_at = moment
         where w.scope = in_scope and w.id = in_workflow
        returning w.revision, w.status, w.updated_at into revision, status, updated_at;
        update ${schema}.idempotency_key i set status = 'completed', outcome = in_outcome, updated_at = moment,
               expires_at = moment + i.keep_ms * interval '1 millisecond'
         where i.scope = in_scope and i.key = in_key;
        if release then
            update ${schema}.lease x set owner = null, expires_at = moment
             where x.scope = in_scope and x.kind = 'workflow' and x.id = in_workflow;
        end if;
    end if;
end
$a_text_of_holdfasts_that_no_name_of_a_schema_is_long_enough_to_end$;

comment on function ${schema}.step_finish_v1 is 'The end of a step: state written, key completed, lease kept or released, or nothing of it.';

create function ${schema}.step_whole_v1(
    patience text, in_scope text, in_workflow text, in_incarnation uuid, in_revision bigint, was text, becomes text, in_snapshot text,
    legal boolean, in_key text, in_request text, in_keep_ms bigint, in_outcome text, release boolean, in_owner text, in_token bigint,
    out verdict text, out revision bigint, out status text, out cancel_requested_at timestamptz, out cancel_reason text,
    out updated_at timestamptz, out key_outcome text)
language plpgsql as $a_text_of_holdfasts_that_no_name_of_a_schema_is_long_enough_to_end$
#variable_conflict use_column
declare
    bounded text;
    keyed record;
    held record;
    stored record;
    lapsing bigint;             -- the reservation whose workflow's lease was looked at
    others_end timestamptz;
    moment timestamptz;
begin
    if patience is not null then
        bounded := set_config('lock_timeout', patience, true);
    end if;
    select i.reservation, i.request_id, i.workflow_id, i.status, i.outcome, i.expires_at into keyed
      from ${schema}.idempotency_key i where i.scope = in_scope and i.key = in_key;
    if keyed.expires_at <= clock_timestamp() and keyed.status = 'reserved' and keyed.workflow_id <> in_workflow then
        lapsing := keyed.reservation;
        others_end := ${schema}.step_others_end_v1(in_scope, in_workflow, keyed.workflow_id, keyed.expires_at);
    end if;
    select x.owner, x.token, x.granted_at, x.expires_at into held from ${schema}.lease x
     where x.scope = in_scope and x.kind = 'workflow' and x.id = in_workflow for no key update of x;
    select w.incarnation, w.revision, w.status, w.cancel_requested_at, w.cancel_reason, w.updated_at,
           w.revision = in_revision + 1 and w.snapshot = in_snapshot as same into stored
      from ${schema}.workflow w where w.scope = in_scope and w.id = in_workflow for no key update of w;
    for pass in 1 .. 3 loop
        if keyed.reservation is not null or stored.same or pass > 1 then   -- whose state is written may have a key by now
            select i.reservation, i.request_id, i.workflow_id, i.status, i.outcome, i.expires_at into keyed
              from ${schema}.idempotency_key i where i.scope = in_scope and i.key = in_key for no key update of i;
        end if;
        moment := clock_timestamp();
        verdict := case
            when stored.incarnation is null or stored.incarnation <> in_incarnation then 'NOT_FOUND'
            when stored.same and keyed.outcome = in_outcome and keyed.workflow_id = in_workflow then 'ALREADY_APPLIED'   -- whatever the fence says
            when held.owner is null then 'LOST_NONE'
            when held.owner <> in_owner or held.token <> in_token then 'LOST_SUPERSEDED'
            when held.expires_at <= moment then 'LOST_EXPIRED'
            when stored.status in ('succeeded', 'failed', 'closed') then 'TERMINAL'
            when stored.status <> was then 'STATUS'
            when stored.revision <> in_revision then 'REVISION'
            when not legal then 'HISTORY'
            when keyed.reservation is null then 'NEW'
            when keyed.status not in ('reserved', 'completed') then 'KEY_UNKNOWN'   -- a newer release's: not ours to let lapse
            when keyed.expires_at <= moment and keyed.status = 'completed' then 'LAPSED'
            when keyed.expires_at <= moment and keyed.workflow_id <> in_workflow and keyed.reservation is distinct from lapsing
                then 'AGAIN'   -- whose lease has not been looked at
            when keyed.expires_at <= moment
                and case when keyed.workflow_id = in_workflow then held.granted_at < keyed.expires_at else others_end > moment end
                is not true then 'LAPSED'
            when keyed.request_id <> in_request then 'KEY_REQUEST'
            when keyed.workflow_id <> in_workflow then 'KEY_WORKFLOW'
            when keyed.status = 'completed' then 'KEY_COMPLETED'
            else 'RESERVED' end;
        exit when verdict <> 'NEW';
        insert into ${schema}.idempotency_key as i
               (scope, key, reservation, request_id, workflow_id, status, outcome, keep_ms, expires_at)
        values (in_scope, in_key, cast(extract(epoch from moment) * 1000000 as bigint), in_request, in_workflow, 'completed', in_outcome,
                in_keep_ms, moment + in_keep_ms * interval '1 millisecond')
            on conflict (scope, key) do nothing;
        exit when found;
        verdict := 'AGAIN';   -- a rival was first
    end loop;
    if verdict = 'NEW' and clock_timestamp() > moment + in_keep_ms * interval '0.1 milliseconds' then
        moment := clock_timestamp();   -- the insert waited for a rival: part of its time is gone
        update ${schema}.idempotency_key i
           set created_at = moment, updated_at = moment, expires_at = moment + in_keep_ms * interval '1 millisecond'
         where i.scope = in_scope and i.key = in_key;
    end if;
    revision := stored.revision;
    status := stored.status;
    cancel_requested_at := stored.cancel_requested_at;
    cancel_reason := stored.cancel_reason;
    updated_at := stored.updated_at;
    key_outcome := keyed.outcome;
    if verdict in ('LAPSED', 'RESERVED') then
        update ${schema}.idempotency_key i
           set reservation = i.reservation + case when verdict = 'LAPSED' then 1 else 0 end,
               request_id = in_request, workflow_id = in_workflow, status = 'completed', outcome = in_outcome, keep_ms = in_keep_ms,
               created_at = case when verdict = 'LAPSED' then moment else i.created_at end, updated_at = moment,
               expires_at = moment + in_keep_ms * interval '1 millisecond'
         where i.scope = in_scope and i.key = in_key;
    end if;
    if verdict in ('NEW', 'LAPSED', 'RESERVED') then
        verdict := 'DONE';
        update ${schema}.workflow w set revision = w.revision + 1, status = becomes, snapshot = in_snapshot, updated_at = moment
         where w.scope = in_scope and w.id = in_workflow
        returning w.revision, w.status, w.updated_at into revision, status, updated_at;
        update ${schema}.lease x
           set owner = case when release then null else x.owner end,
               expires_at = case when release then moment
                 else greatest(x.expires_at, clock_timestamp() + x.ttl_ms * interval '1 millisecond') end
         where x.scope = in_scope and x.kind = 'workflow' and x.id = in_workflow;
    end if;
end
$a_text_of_holdfasts_that_no_name_of_a_schema_is_long_enough_to_end$;

comment on function ${schema}.step_whole_v1 is 'A step without an outside effect: what begins and finishes it at once.';
