-- Component execution, version 1: runs, and the journal of what they did.
-- The lease of a run is a row of table lease, kind run, not a column here: a heartbeat writes that narrow row alone, and
-- never the run with its state. No foreign key leads there: leases outlive runs, so that tokens only grow.

create table ${schema}.execution (
    scope             text        not null collate "C" constraint execution_scope_length check (octet_length(scope) <= 255),
    id                text        not null collate "C" constraint execution_id_length check (octet_length(id) between 1 and 1024),
    kind              text        not null collate "C" constraint execution_kind_format check (octet_length(kind) <= 63 and kind ~ '^[a-z][a-z0-9_.-]*$'),
    parent_id         text        collate "C" constraint execution_parent_id_length check (octet_length(parent_id) between 1 and 1024),
    origin            text        not null constraint execution_origin_length check (octet_length(origin) between 2 and 65536),
    definition_digest text        not null collate "C" constraint execution_definition_digest_length check (octet_length(definition_digest) between 1 and 128),
    status            text        not null collate "C" constraint execution_status_known
                                  check (status in ('running', 'interrupted', 'paused', 'completed', 'failed')),
    opened_token      bigint      not null default 1 constraint execution_opened_token_positive check (opened_token >= 1),
    watched           boolean     not null default true,
    cursor            text        constraint execution_cursor_length check (octet_length(cursor) between 1 and 4096),
    state             text        not null constraint execution_state_length check (octet_length(state) between 2 and 4194304),
    state_version     integer     not null constraint execution_state_version_positive check (state_version >= 1),
    journal_version   integer     not null default 1 constraint execution_journal_version_positive check (journal_version >= 1),
    revision          bigint      not null default 1 constraint execution_revision_positive check (revision >= 1),
    steps             bigint      not null default 0 constraint execution_steps_not_negative check (steps >= 0),
    effects           bigint      not null default 0 constraint execution_effects_not_negative check (effects >= 0),
    events            bigint      not null default 0 constraint execution_events_not_negative check (events >= 0),
    last_commit       text        collate "C" constraint execution_last_commit_length check (octet_length(last_commit) = 64),
    created_at        timestamptz not null default clock_timestamp(),
    updated_at        timestamptz not null default clock_timestamp(),
    -- As a workflow's: generated, and the only time that is indexed, so that commits stay heap-only updates.
    finished_at       timestamptz generated always as (case when status in ('completed', 'failed') then updated_at end) stored,
    constraint execution_pk primary key (scope, id),
    constraint execution_watched_unless_finished check (not watched or status not in ('completed', 'failed'))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);   -- updated in place with every commit: leave room for heap-only updates

-- The predicate is a column of its own that changes when a run pauses or ends, not with each commit; and runs that are
-- finished or wait for somebody are not in it, however many there are.
create index execution_watch on ${schema}.execution (scope, id) where watched;
create index execution_parent on ${schema}.execution (scope, parent_id, id) where parent_id is not null;
create index execution_finished on ${schema}.execution (scope, finished_at, id) where finished_at is not null;
create index execution_ended on ${schema}.execution (scope, status, finished_at, id) where finished_at is not null;
create index execution_unfinished on ${schema}.execution (scope, (id || '/')) where finished_at is null;   -- the slash: a run and those below it are one range

comment on table ${schema}.execution is 'Runs of workflows and agents: where each stands, and the state its engine needs to go on.';
comment on column ${schema}.execution.scope is 'Whose run it is: tenant or workspace; empty when unscoped.';
comment on column ${schema}.execution.id is 'The run''s id, unique within its scope; the id of its lease of kind run.';
comment on column ${schema}.execution.kind is 'What runs: workflow or agent.';
comment on column ${schema}.execution.parent_id is 'The run that this one is a part of; null: none.';
comment on column ${schema}.execution.origin is 'Where it came from, as JSON; never changes.';
comment on column ${schema}.execution.definition_digest is 'Digest of the definition it runs by; never changes.';
comment on column ${schema}.execution.status is 'running, interrupted, paused, completed or failed; the last two are final.';
comment on column ${schema}.execution.opened_token is 'Fencing token of the lease it was opened with, or of the one that its owner had of it before: what was consumed under an older one was a former run''s of that id.';
comment on column ${schema}.execution.watched is 'Whether somebody should be at work on it: always of one that is running or interrupted, of a paused one after it was claimed. Recovery looks at these alone.';
comment on column ${schema}.execution.cursor is 'Where in its definition it stands, in its engine''s words; null: nowhere.';
comment on column ${schema}.execution.state is 'Its engine''s state as JSON, byte-exact; opaque here.';
comment on column ${schema}.execution.state_version is 'The format of the state, as its engine numbers them; never falls.';
comment on column ${schema}.execution.journal_version is 'The format of this row and what belongs to it; a release leaves alone what is newer than it knows.';
comment on column ${schema}.execution.revision is 'Counts what was committed, from 1; a lease''s grant, renewal and release do not change it.';
comment on column ${schema}.execution.steps is 'How many steps have been numbered.';
comment on column ${schema}.execution.effects is 'How many effects have been numbered.';
comment on column ${schema}.execution.events is 'The number of the last event.';
comment on column ${schema}.execution.last_commit is 'SHA-256 of the last commit and its fence, in hex, by which a repeat is known; null before the first.';
comment on column ${schema}.execution.created_at is 'When it was opened, by the database''s clock.';
comment on column ${schema}.execution.updated_at is 'When something was last committed, by the database''s clock; never falls.';
comment on column ${schema}.execution.finished_at is 'When it completed or failed; what retention goes by.';
comment on index ${schema}.execution_watch is 'Recovery: the runs of a scope that somebody should be at work on, by id.';
comment on index ${schema}.execution_parent is 'The parts of a run.';
comment on index ${schema}.execution_finished is 'Purge: finished runs of a scope, oldest first.';
comment on index ${schema}.execution_ended is 'Retention: finished runs of a scope in a status, the first to end first.';
comment on index ${schema}.execution_unfinished is 'Retention: whether a run of a family is unfinished. Operators: the unfinished runs.';

create table ${schema}.execution_step (
    scope           text        not null collate "C" constraint execution_step_scope_length check (octet_length(scope) <= 255),
    run_id          text        not null collate "C" constraint execution_step_run_id_length check (octet_length(run_id) between 1 and 1024),
    ordinal         bigint      not null constraint execution_step_ordinal_positive check (ordinal >= 1),
    step_key        text        not null collate "C" constraint execution_step_step_key_length check (octet_length(step_key) between 1 and 1024),
    payload_digest  text        collate "C" constraint execution_step_payload_digest_length check (octet_length(payload_digest) between 1 and 128),
    idempotency_key text        collate "C" constraint execution_step_idempotency_key_length check (octet_length(idempotency_key) between 1 and 255),
    effect_class    text        collate "C" constraint execution_step_effect_class_known
                                check (effect_class in ('pure', 'idempotent', 'non_idempotent', 'reconcilable')),
    approval_id     text        collate "C" constraint execution_step_approval_id_length check (octet_length(approval_id) between 1 and 1024),
    reservations    text        constraint execution_step_reservations_length check (octet_length(reservations) between 2 and 65536),
    intended_at     timestamptz,
    outcome         text        collate "C" constraint execution_step_outcome_known check (outcome in ('completed', 'failed')),
    output          text        constraint execution_step_output_length check (octet_length(output) between 1 and 1048576),
    ended_at        timestamptz,
    constraint execution_step_pk primary key (scope, run_id, step_key),
    constraint execution_step_order unique (scope, run_id, ordinal),
    constraint execution_step_of_run foreign key (scope, run_id) references ${schema}.execution on delete cascade,
    constraint execution_step_intent_complete check (num_nulls(payload_digest, idempotency_key, effect_class, reservations, intended_at) in (0, 5)
                                                     and (approval_id is null or intended_at is not null)),
    constraint execution_step_outcome_complete check (num_nulls(outcome, output, ended_at) in (0, 3)),
    constraint execution_step_not_empty check (intended_at is not null or ended_at is not null)
) with (fillfactor = 85);   -- written twice: intent, outcome

comment on table ${schema}.execution_step is 'The steps of runs: what each meant to do, and how it ended. Both are written once and never change.';
comment on column ${schema}.execution_step.scope is 'Whose run it is.';
comment on column ${schema}.execution_step.run_id is 'The run.';
comment on column ${schema}.execution_step.ordinal is 'Counts the run''s steps in the order in which they were first written, from 1.';
comment on column ${schema}.execution_step.step_key is 'Names the step; the same whenever a process comes to it again.';
comment on column ${schema}.execution_step.payload_digest is 'Intent: digest of what is sent.';
comment on column ${schema}.execution_step.idempotency_key is 'Intent: the key under which it is sent.';
comment on column ${schema}.execution_step.effect_class is 'Intent: whether it may be done again: pure, idempotent, non_idempotent or reconcilable.';
comment on column ${schema}.execution_step.approval_id is 'Intent: the approval it is done under; null: none.';
comment on column ${schema}.execution_step.reservations is 'Intent: ids of reservations it uses, a JSON array.';
comment on column ${schema}.execution_step.intended_at is 'When the intent was written; null: a step without one, which is pure.';
comment on column ${schema}.execution_step.outcome is 'completed or failed; null: not ended.';
comment on column ${schema}.execution_step.output is 'What it came to, as JSON, byte-exact.';
comment on column ${schema}.execution_step.ended_at is 'When the outcome was written.';
comment on index ${schema}.execution_step_order is 'The steps of a run, oldest first.';

create table ${schema}.execution_effect (
    scope           text        not null collate "C" constraint execution_effect_scope_length check (octet_length(scope) <= 255),
    run_id          text        not null collate "C" constraint execution_effect_run_id_length check (octet_length(run_id) between 1 and 1024),
    ordinal         bigint      not null constraint execution_effect_ordinal_positive check (ordinal >= 1),
    step_key        text        not null collate "C" constraint execution_effect_step_key_length check (octet_length(step_key) between 1 and 1024),
    index           integer     not null constraint execution_effect_index_not_negative check (index >= 0),
    effect_id       text        not null collate "C" constraint execution_effect_effect_id_length check (octet_length(effect_id) = 64),
    idempotency_key text        not null collate "C" constraint execution_effect_idempotency_key_length check (octet_length(idempotency_key) between 1 and 255),
    status          text        not null collate "C" constraint execution_effect_status_known
                                check (status in ('pending', 'confirmed', 'indeterminate', 'resolved')),
    result          text        constraint execution_effect_result_length check (octet_length(result) between 1 and 1048576),
    resolution      text        collate "C" constraint execution_effect_resolution_known check (resolution in ('confirmed', 'not_applied', 'failed')),
    resolved_by     text        constraint execution_effect_resolved_by_length check (octet_length(resolved_by) between 1 and 1024),
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    constraint execution_effect_pk primary key (scope, run_id, effect_id),
    constraint execution_effect_order unique (scope, run_id, ordinal),
    constraint execution_effect_once unique (scope, idempotency_key),
    constraint execution_effect_of_run foreign key (scope, run_id) references ${schema}.execution on delete cascade,
    constraint execution_effect_resolution_when_resolved check ((status = 'resolved') = (resolution is not null)
                                                                and (status = 'resolved') = (resolved_by is not null))
) with (fillfactor = 85);   -- written twice: pending, then what became of it

comment on table ${schema}.execution_effect is 'What steps did outside, one row for each effect: on its way, confirmed, in doubt, or resolved by somebody.';
comment on column ${schema}.execution_effect.scope is 'Whose run it is.';
comment on column ${schema}.execution_effect.run_id is 'The run.';
comment on column ${schema}.execution_effect.ordinal is 'Counts the run''s effects in the order in which they were first written, from 1.';
comment on column ${schema}.execution_effect.step_key is 'The step it belongs to, which has an intent.';
comment on column ${schema}.execution_effect.index is 'Which of the step''s effects, from 0.';
comment on column ${schema}.execution_effect.effect_id is 'SHA-256 of scope, run, step key and index: the same in every process.';
comment on column ${schema}.execution_effect.idempotency_key is 'The key under which it was sent; unique in the scope, across runs.';
comment on column ${schema}.execution_effect.status is 'pending: sent or about to be; confirmed: known to have happened; indeterminate: nobody knows; resolved: somebody found out.';
comment on column ${schema}.execution_effect.result is 'What it came to, as JSON; null: nothing was said.';
comment on column ${schema}.execution_effect.resolution is 'What was found out: confirmed, not_applied or failed.';
comment on column ${schema}.execution_effect.resolved_by is 'Who found out.';
comment on column ${schema}.execution_effect.created_at is 'When it was written first.';
comment on column ${schema}.execution_effect.updated_at is 'When its status was last written.';
comment on index ${schema}.execution_effect_order is 'The effects of a run, oldest first.';
comment on index ${schema}.execution_effect_once is 'No two effects of a scope go out under one idempotency key.';

create table ${schema}.execution_event (
    scope       text        not null collate "C" constraint execution_event_scope_length check (octet_length(scope) <= 255),
    run_id      text        not null collate "C" constraint execution_event_run_id_length check (octet_length(run_id) between 1 and 1024),
    sequence    bigint      not null constraint execution_event_sequence_positive check (sequence >= 1),
    type        text        not null constraint execution_event_type_length check (octet_length(type) between 1 and 512),
    payload     text        not null constraint execution_event_payload_length check (octet_length(payload) between 2 and 1048576),
    at          timestamptz not null,
    constraint execution_event_pk primary key (scope, run_id, sequence),
    constraint execution_event_of_run foreign key (scope, run_id) references ${schema}.execution on delete cascade
);

comment on table ${schema}.execution_event is 'What happened in runs, one after the other; only ever appended to.';
comment on column ${schema}.execution_event.scope is 'Whose run it is.';
comment on column ${schema}.execution_event.run_id is 'The run.';
comment on column ${schema}.execution_event.sequence is 'Counts the run''s events, from 1, without gaps.';
comment on column ${schema}.execution_event.type is 'What kind of event, in its engine''s words.';
comment on column ${schema}.execution_event.payload is 'The event as a JSON object, byte-exact.';
comment on column ${schema}.execution_event.at is 'When it was committed, by the database''s clock; never earlier than the event before it.';

-- An effect by its id, as the first in the order of ids between the id and itself. By "=" the planner takes every index that begins
-- with the scope for as good as the one with the id in it, or for better if it is less high, where it expects to find next to
-- nothing: runs are short, a scope is new, nobody has analyzed the tables. Then it reads all that the run, or the scope, has done.
-- Only the one index has that order, and here nothing may be sorted; a statement alone cannot say so. "Place" is the row's.
create function ${schema}.journal_effect_v1(
    in_scope text, in_run text, in_effect text, out place tid, out status text, out resolution text, out resolved_by text)
language plpgsql stable set enable_sort = off set enable_incremental_sort = off as $a_text_of_holdfasts_that_no_name_of_a_schema_is_long_enough_to_end$
#variable_conflict use_column
begin
    select f.ctid, f.status, f.resolution, f.resolved_by into place, status, resolution, resolved_by
      from ${schema}.execution_effect f
     where f.scope = in_scope and f.run_id = in_run and f.effect_id between in_effect and in_effect
     order by f.effect_id limit 1;
end
$a_text_of_holdfasts_that_no_name_of_a_schema_is_long_enough_to_end$;

comment on function ${schema}.journal_effect_v1 is 'What is known of an effect: nulls if there is none.';
