-- Component operations, version 1: what operators did by hand, who and why.
-- A row is written by the very statement that does the deed, so there is neither a deed without its record nor a record of one
-- that lost a race.

create table ${schema}.operator_action (
    scope            text        not null collate "C" constraint operator_action_scope_length check (octet_length(scope) <= 255),
    id               uuid        not null default gen_random_uuid(),
    done_at          timestamptz not null,
    done_by          text        not null collate "C" constraint operator_action_done_by_length check (octet_length(done_by) between 1 and 255),
    action           text        not null collate "C" constraint operator_action_known check (action in ('lease break', 'workflow cancel', 'approval settle')),
    target           text        not null collate "C" constraint operator_action_target_length check (octet_length(target) between 1 and 1100),
    reason           text        not null constraint operator_action_reason_length check (length(reason) between 1 and 256),
    before           jsonb       not null constraint operator_action_before_object check (jsonb_typeof(before) = 'object'),
    constraint operator_action_pk primary key (scope, id)
);

create index operator_action_by_time on ${schema}.operator_action (scope, done_at desc, id);

comment on table ${schema}.operator_action is 'What operators did by hand to leases, workflows and approvals; only ever added to.';
comment on column ${schema}.operator_action.scope is 'Whose lease, workflow or approval: tenant or workspace; empty when unscoped.';
comment on column ${schema}.operator_action.id is 'Made at random.';
comment on column ${schema}.operator_action.done_at is 'When it was done, by the database''s clock.';
comment on column ${schema}.operator_action.done_by is 'Who says to have done it: operating system user and machine unless another name was given.';
comment on column ${schema}.operator_action.action is 'lease break, workflow cancel or approval settle.';
comment on column ${schema}.operator_action.target is 'Kind and id of the lease, or id of the workflow or approval.';
comment on column ${schema}.operator_action.reason is 'Why, in the operator''s words.';
comment on column ${schema}.operator_action.before is 'What was found there: of a lease its owner, token and times, of a workflow its status and revision, of an approval its state and run.';
comment on index ${schema}.operator_action_by_time is 'What was done in a scope, the latest first.';
