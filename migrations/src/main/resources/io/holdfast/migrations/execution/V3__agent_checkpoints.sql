-- Component execution, version 3: checkpoints of agents. No foreign key leads to a run of the journal: the first checkpoint may
-- come before it, and what says that a run is over outlives it.

comment on table ${schema}.schema_history_execution is 'version 3 works with version 1';

create table ${schema}.agent_checkpoint (
    scope            text        not null collate "C" constraint agent_checkpoint_scope_length check (octet_length(scope) <= 255),
    run_id           text        not null collate "C" constraint agent_checkpoint_run_id_length check (octet_length(run_id) between 1 and 1024),
    status           text        not null collate "C" constraint agent_checkpoint_status_known
                                 check (status in ('running', 'paused', 'completed', 'finished', 'purged')),
    revision         bigint      not null constraint agent_checkpoint_revision_not_negative check (revision >= 0),
    phase            text        collate "C" constraint agent_checkpoint_phase_known
                                 check (phase in ('model_next', 'tools_pending', 'paused', 'completed')),
    payload          text        constraint agent_checkpoint_payload_length check (octet_length(payload) between 2 and 8388608),
    token            bigint      constraint agent_checkpoint_token_positive check (token >= 1),
    created_at       timestamptz not null,
    updated_at       timestamptz not null,
    constraint agent_checkpoint_pk primary key (scope, run_id),
    constraint agent_checkpoint_gone_when_over check (   -- nothing is kept of a run that is over but that it is
      num_nulls(phase, payload) = case when status in ('finished', 'purged') then 2 else 0 end)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);   -- updated in place with every turn: leave room for heap-only updates

-- By status, which changes a few times in a life, and never by the time of the last save: so that saves stay heap-only.
create index agent_checkpoint_status on ${schema}.agent_checkpoint (scope, status, created_at, run_id) where status is not null;   -- as approval_status
create index agent_checkpoint_unfinished on ${schema}.agent_checkpoint (scope, (run_id || '/'))
    where status not in ('finished', 'purged');
create index agent_checkpoint_recoverable on ${schema}.agent_checkpoint (scope, run_id) where status in ('running', 'completed');

comment on table ${schema}.agent_checkpoint is 'Where each unfinished run of an agent stands; and which runs are over, so that nothing revives them.';
comment on column ${schema}.agent_checkpoint.scope is 'Whose run it is: tenant or workspace; empty when unscoped.';
comment on column ${schema}.agent_checkpoint.run_id is 'The run, unique within its scope; the id of its lease of kind run.';
comment on column ${schema}.agent_checkpoint.status is 'running, paused or completed, as the phase says; finished by its worker, or purged by an operator: the last two are final.';
comment on column ${schema}.agent_checkpoint.revision is 'Counts the saves; the compare-and-set value. 0: it was finished without a save.';
comment on column ${schema}.agent_checkpoint.phase is 'What the agent does next; null once it is over.';
comment on column ${schema}.agent_checkpoint.payload is 'The checkpoint as JSON, byte-exact; null once it is over.';
comment on column ${schema}.agent_checkpoint.token is 'Fencing token of the lease under which it was last written; null: by an operator.';
comment on column ${schema}.agent_checkpoint.created_at is 'When it was first written, by the database''s clock.';
comment on column ${schema}.agent_checkpoint.updated_at is 'When it was last written, by the database''s clock.';
comment on index ${schema}.agent_checkpoint_status is 'Lists and retention: the runs of a scope in a status, oldest first.';
comment on index ${schema}.agent_checkpoint_unfinished is 'Retention: whether a run of a family is unfinished.';
comment on index ${schema}.agent_checkpoint_recoverable is 'Recovery: the runs of a scope that somebody should be at work on, by id.';
