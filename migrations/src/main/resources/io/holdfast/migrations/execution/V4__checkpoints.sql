-- Component execution, version 4: checkpoints of runs.
-- Where a run stands is a narrow row that is rewritten with every save; what was saved is a row that never changes. So a state
-- of any size is written once, and no save rewrites a history.

create table ${schema}.checkpoint (
    scope              text        not null collate "C" constraint checkpoint_scope_length check (octet_length(scope) <= 255),
    run_id             text        not null collate "C" constraint checkpoint_run_id_length check (octet_length(run_id) between 1 and 1024),
    incarnation        uuid        not null default gen_random_uuid(),
    parent_run_id      text        collate "C" constraint checkpoint_parent_run_id_length check (octet_length(parent_run_id) between 1 and 1022),
    path               text        not null collate "C" constraint checkpoint_path_length check (octet_length(path) between 2 and 2100),
    forked_run_id      text        collate "C" constraint checkpoint_forked_run_id_length check (octet_length(forked_run_id) between 1 and 1024),
    forked_revision    bigint      constraint checkpoint_forked_revision_positive check (forked_revision >= 1),
    forked_steps       integer     constraint checkpoint_forked_steps_not_negative check (forked_steps >= 0),
    forked_changed     boolean,
    definition_hash    text        not null collate "C" constraint checkpoint_definition_hash_format check (octet_length(definition_hash) = 64 and definition_hash ~ '^[0-9a-f]*$'),
    definition_version text        collate "C" constraint checkpoint_definition_version_length check (octet_length(definition_version) between 1 and 255),
    started_version    text        collate "C" constraint checkpoint_started_version_length check (octet_length(started_version) between 1 and 255),
    status             text        not null collate "C" constraint checkpoint_status_known check (status in ('running', 'paused', 'completed', 'failed', 'rejected')),
    node               text        collate "C" constraint checkpoint_node_length check (octet_length(node) between 1 and 1024),
    steps              integer     not null constraint checkpoint_steps_not_negative check (steps >= 0),
    waiting_for        text        collate "C" constraint checkpoint_waiting_for_known check (waiting_for in ('approvals', 'answer', 'effect')),
    waiting_ids        text        collate "C" constraint checkpoint_waiting_ids_length check (octet_length(waiting_ids) between 5 and 140000),
    revision           bigint      not null constraint checkpoint_revision_positive check (revision >= 1),
    history_from       bigint      not null constraint checkpoint_history_from_bounds check (history_from between 1 and revision + 1),
    created_at         timestamptz not null default clock_timestamp(),
    updated_at         timestamptz not null default clock_timestamp(),
    -- Generated, so that no writer can forget it; null until the end, so that the saves of a living run stay heap-only.
    finished_at        timestamptz generated always as (case when status in ('completed', 'failed', 'rejected') then updated_at end) stored,
    constraint checkpoint_pk primary key (scope, run_id),
    constraint checkpoint_child_of_parent check (case when parent_run_id is null then strpos(run_id, '/') = 0
                                                      else starts_with(run_id, parent_run_id || '/') end),
    constraint checkpoint_fork_whole check (num_nulls(forked_run_id, forked_revision, forked_steps, forked_changed) in (0, 4)),
    constraint checkpoint_waiting_whole check ((waiting_for is null) = (waiting_ids is null)),
    constraint checkpoint_waiting_of_status check (status = 'running' or (status = 'paused') = (waiting_for is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);   -- updated in place with every save: leave room for heap-only updates

create index checkpoint_path on ${schema}.checkpoint (scope, path) where path is not null;   -- as approval_status
create index checkpoint_incomplete on ${schema}.checkpoint (scope, created_at, run_id) where status = 'running' and parent_run_id is null;
create index checkpoint_ended on ${schema}.checkpoint (scope, status, finished_at, run_id) where finished_at is not null;
create index checkpoint_unfinished on ${schema}.checkpoint (scope, (run_id || '/')) where finished_at is null;
create index checkpoint_running on ${schema}.checkpoint (scope, run_id) where status = 'running' and parent_run_id is null;
create index checkpoint_finished on ${schema}.checkpoint (scope, finished_at, run_id) where finished_at is not null;

comment on table ${schema}.checkpoint is 'Where each run stands: the revision that a save has to name, and which entry is the last.';
comment on column ${schema}.checkpoint.scope is 'Whose run it is: tenant or workspace; empty when unscoped.';
comment on column ${schema}.checkpoint.run_id is 'The run''s id, unique within its scope; a child''s begins with its parent''s and a slash.';
comment on column ${schema}.checkpoint.incarnation is 'Made anew with every row: a run that is purged and created again under the same id is another one.';
comment on column ${schema}.checkpoint.parent_run_id is 'The run that waits for this one; null: it stands by itself.';
comment on column ${schema}.checkpoint.path is 'The id in the form in which runs are listed below another: each name, a tab, and its numbers with their lengths before them, so that 10 comes after 9 in byte order.';
comment on column ${schema}.checkpoint.forked_run_id is 'The run whose history it was forked from.';
comment on column ${schema}.checkpoint.forked_revision is 'The entry of that history with which it began.';
comment on column ${schema}.checkpoint.forked_steps is 'How many visits that entry had finished.';
comment on column ${schema}.checkpoint.forked_changed is 'Whether it began with another state than that entry has.';
comment on column ${schema}.checkpoint.definition_hash is 'Digest of the definition that the run follows: 64 hex digits.';
comment on column ${schema}.checkpoint.definition_version is 'What the definition''s author calls it.';
comment on column ${schema}.checkpoint.started_version is 'The version in the first entry of the history.';
comment on column ${schema}.checkpoint.status is 'running, paused, completed, failed or rejected; the last three are final.';
comment on column ${schema}.checkpoint.node is 'The node that comes next; null at the end.';
comment on column ${schema}.checkpoint.steps is 'How many visits of nodes are finished.';
comment on column ${schema}.checkpoint.waiting_for is 'What kind of thing it waits for: approvals, answer or effect; kept while a run goes on with the answer.';
comment on column ${schema}.checkpoint.waiting_ids is 'The ids of what it waits for, as a JSON array of texts.';
comment on column ${schema}.checkpoint.revision is 'Counts the writes of the run, from 1; the compare-and-set value, and the number of the last entry.';
comment on column ${schema}.checkpoint.history_from is 'The number of the first entry of its history, which has no gaps: 2 if the run was only reserved, more once it was cut. Beyond the revision: there is none yet.';
comment on column ${schema}.checkpoint.created_at is 'When the row was made, by the database''s clock.';
comment on column ${schema}.checkpoint.updated_at is 'When it was last written, by the database''s clock.';
comment on column ${schema}.checkpoint.finished_at is 'When it reached a final status; what a purge goes by.';
comment on index ${schema}.checkpoint_path is 'The runs below one, in the order of their steps.';
comment on index ${schema}.checkpoint_incomplete is 'Candidates for being taken over, oldest first. Not by the time of the last save, which would end heap-only updates.';
comment on index ${schema}.checkpoint_ended is 'Retention: runs that have ended so, the first to end first.';
comment on index ${schema}.checkpoint_unfinished is 'Retention: whether a run of a family is unfinished.';
comment on index ${schema}.checkpoint_running is 'Recovery: the runs that somebody should be at work on, by id.';
comment on index ${schema}.checkpoint_finished is 'Purge: runs that have ended, the first to end first.';

create table ${schema}.checkpoint_entry (
    scope              text        not null collate "C" constraint checkpoint_entry_scope_length check (octet_length(scope) <= 255),
    run_id             text        not null collate "C" constraint checkpoint_entry_run_id_length check (octet_length(run_id) between 1 and 1024),
    revision           bigint      not null constraint checkpoint_entry_revision_positive check (revision >= 1),
    definition_hash    text        not null collate "C" constraint checkpoint_entry_definition_hash_format check (octet_length(definition_hash) = 64 and definition_hash ~ '^[0-9a-f]*$'),
    definition_version text        collate "C" constraint checkpoint_entry_definition_version_length check (octet_length(definition_version) between 1 and 255),
    status             text        not null collate "C" constraint checkpoint_entry_status_known check (status in ('running', 'paused', 'completed', 'failed', 'rejected')),
    node               text        collate "C" constraint checkpoint_entry_node_length check (octet_length(node) between 1 and 1024),
    steps              integer     not null constraint checkpoint_entry_steps_not_negative check (steps >= 0),
    waiting_for        text        collate "C" constraint checkpoint_entry_waiting_for_known check (waiting_for in ('approvals', 'answer', 'effect')),
    waiting_ids        text        collate "C" constraint checkpoint_entry_waiting_ids_length check (octet_length(waiting_ids) between 5 and 140000),
    state              text        not null constraint checkpoint_entry_state_length check (octet_length(state) between 2 and 4194304),
    details            text        not null constraint checkpoint_entry_details_length check (octet_length(details) between 2 and 4194304),
    saved_at           timestamptz not null,
    constraint checkpoint_entry_pk primary key (scope, run_id, revision),
    constraint checkpoint_entry_of_run foreign key (scope, run_id) references ${schema}.checkpoint on delete cascade,
    constraint checkpoint_entry_payload_length check (octet_length(state) + octet_length(details) <= 4194304),
    constraint checkpoint_entry_waiting_whole check ((waiting_for is null) = (waiting_ids is null))
);

comment on table ${schema}.checkpoint_entry is 'What each write of a run has saved, one row for each revision. Rows are added and, by a purge, removed; none is ever changed.';
comment on column ${schema}.checkpoint_entry.scope is 'Whose run it is.';
comment on column ${schema}.checkpoint_entry.run_id is 'The run.';
comment on column ${schema}.checkpoint_entry.revision is 'The revision of the run that this save has made; the order of the history.';
comment on column ${schema}.checkpoint_entry.definition_hash is 'Digest of the definition that the run followed.';
comment on column ${schema}.checkpoint_entry.definition_version is 'What the definition''s author called it.';
comment on column ${schema}.checkpoint_entry.status is 'Where the run stood.';
comment on column ${schema}.checkpoint_entry.node is 'The node that came next; null at the end.';
comment on column ${schema}.checkpoint_entry.steps is 'How many visits of nodes were finished.';
comment on column ${schema}.checkpoint_entry.waiting_for is 'What kind of thing it waited for.';
comment on column ${schema}.checkpoint_entry.waiting_ids is 'The ids of what it waited for, as a JSON array of texts.';
comment on column ${schema}.checkpoint_entry.state is 'The workflow''s variables as canonical JSON, byte-exact; text, because jsonb would change the bytes.';
comment on column ${schema}.checkpoint_entry.details is 'What the engine keeps beside them, likewise.';
comment on column ${schema}.checkpoint_entry.saved_at is 'When, by the database''s clock.';
