-- Component runs, version 1: runs with their events, and the chat sessions of a workspace.
-- As in core: the scope is the first column of every key, text in keys is collate "C", and each check is a cheap one.

create table ${schema}.run (
    scope            text        not null collate "C" constraint run_scope_length check (octet_length(scope) <= 255),
    id               text        not null collate "C" constraint run_id_length check (octet_length(id) between 1 and 1024),
    incarnation      uuid        not null default gen_random_uuid(),
    status           text        not null collate "C" constraint run_status_length check (length(status) between 1 and 64),
    revision         bigint      not null default 1 constraint run_revision_positive check (revision >= 1),
    last_seq         bigint      not null default 0 constraint run_last_seq_not_negative check (last_seq >= 0),
    input            text        not null constraint run_input_length check (octet_length(input) between 2 and 1048576),
    state            text        not null constraint run_state_length check (octet_length(state) between 2 and 1048576),
    metadata         text        not null constraint run_metadata_length check (octet_length(metadata) between 2 and 1048576),
    change           text        collate "C" constraint run_change_length check (octet_length(change) = 71),
    created_at       timestamptz not null default clock_timestamp(),
    updated_at       timestamptz not null default clock_timestamp(),
    constraint run_pk primary key (scope, id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);   -- written with every event: leave room for heap-only updates

-- Both by what changes a few times in a life, and never by the time of the last write: so that events stay heap-only updates.
create index run_status on ${schema}.run (scope, status, created_at, id) where status is not null;   -- as workflow_status: component core
create index run_at_work on ${schema}.run (scope, (id || '/')) where status = 'running';   -- the slash: a run and those below it are one range

comment on table ${schema}.run is 'Runs: input, state and status of each, and the number of its last event.';
comment on column ${schema}.run.scope is 'Whose run it is: tenant or workspace; empty when unscoped.';
comment on column ${schema}.run.id is 'The run''s id, unique within its scope.';
comment on column ${schema}.run.incarnation is 'Made anew with every row: a run that is removed and created again under the same id is another one.';
comment on column ${schema}.run.status is 'Where it stands, in the application''s words; running at first.';
comment on column ${schema}.run.revision is 'Counts the writes of status and state, from 1; the compare-and-set value. An event alone does not change it.';
comment on column ${schema}.run.last_seq is 'The number of the last event; 0 without one. Whoever locks the row gives the next numbers, so that none is left out.';
comment on column ${schema}.run.input is 'The state at creation, as canonical JSON; never changes.';
comment on column ${schema}.run.state is 'The state as canonical JSON, byte-exact; text, because jsonb would change the bytes.';
comment on column ${schema}.run.metadata is 'What the application said of it at creation, as canonical JSON; never changes.';
comment on column ${schema}.run.change is 'Fingerprint of the last update, by which its repeat is recognised; null before the first.';
comment on column ${schema}.run.created_at is 'When the row was made, by the database''s clock.';
comment on column ${schema}.run.updated_at is 'When the run or its events were last written, by the database''s clock.';
comment on index ${schema}.run_status is 'Retention: the runs of a scope in a status, oldest first.';
comment on index ${schema}.run_at_work is 'Retention: whether a run of a family is at work.';

create table ${schema}.run_event (
    scope            text        not null collate "C" constraint run_event_scope_length check (octet_length(scope) <= 255),
    run_id           text        not null collate "C" constraint run_event_run_id_length check (octet_length(run_id) between 1 and 1024),
    seq              bigint      not null constraint run_event_seq_positive check (seq >= 1),
    type             text        not null collate "C" constraint run_event_type_length check (octet_length(type) between 1 and 128),
    payload          text        not null constraint run_event_payload_length check (octet_length(payload) between 2 and 262144),
    at               timestamptz not null,
    constraint run_event_pk primary key (scope, run_id, seq),
    constraint run_event_of_run foreign key (scope, run_id) references ${schema}.run on delete cascade
);

comment on table ${schema}.run_event is 'What happened in each run, in order: numbered from 1 without a gap, never changed.';
comment on column ${schema}.run_event.scope is 'Whose run it is.';
comment on column ${schema}.run_event.run_id is 'The run.';
comment on column ${schema}.run_event.seq is 'Its number in the run, from 1 without a gap.';
comment on column ${schema}.run_event.type is 'What kind of event it is; the payload says the same.';
comment on column ${schema}.run_event.payload is 'The whole event as canonical JSON, byte-exact.';
comment on column ${schema}.run_event.at is 'When it was written, by the database''s clock; those of one write have one time, and none is before the one before it.';

create table ${schema}.workspace_session (
    scope            text        not null collate "C" constraint workspace_session_scope_length check (octet_length(scope) <= 255),
    id               text        not null collate "C" constraint workspace_session_id_length check (octet_length(id) between 1 and 1024),
    revision         bigint      not null default 1 constraint workspace_session_revision_positive check (revision >= 1),
    message_count    bigint      not null constraint workspace_session_message_count_not_negative check (message_count >= 0),
    payload          text        not null constraint workspace_session_payload_length check (octet_length(payload) between 2 and 8388608),
    created_at       timestamptz not null default clock_timestamp(),
    updated_at       timestamptz not null default clock_timestamp(),
    emptied_at       timestamptz,
    constraint workspace_session_pk primary key (scope, id)
) with (fillfactor = 70);   -- replaced with every turn: leave room for heap-only updates

create index workspace_session_kept on ${schema}.workspace_session (scope, created_at, id) where emptied_at is null;

comment on table ${schema}.workspace_session is 'Chat transcripts of a workspace, each replaced as a whole by compare-and-set.';
comment on column ${schema}.workspace_session.scope is 'Whose session it is: tenant or workspace; empty when unscoped.';
comment on column ${schema}.workspace_session.id is 'The session''s id, unique within its scope.';
comment on column ${schema}.workspace_session.revision is 'Counts the saves, from 1; the compare-and-set value. It decides, whatever the payload says.';
comment on column ${schema}.workspace_session.message_count is 'How many messages there are, for lists.';
comment on column ${schema}.workspace_session.payload is 'The transcript as canonical JSON, byte-exact.';
comment on column ${schema}.workspace_session.created_at is 'When it was first saved, by the database''s clock.';
comment on column ${schema}.workspace_session.updated_at is 'When it was last saved or emptied, by the database''s clock.';
comment on column ${schema}.workspace_session.emptied_at is 'When retention emptied it; null while there is something in it, and from the next save on.';
comment on index ${schema}.workspace_session_kept is 'Retention: the sessions of a scope, oldest first.';
