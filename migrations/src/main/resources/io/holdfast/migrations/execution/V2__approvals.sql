-- Component execution, version 2: approvals. No foreign key leads to a run: an approval outlives it, and may come before it.

comment on table ${schema}.schema_history_execution is 'version 2 works with version 1';

create table ${schema}.approval (
    scope            text        not null collate "C" constraint approval_scope_length check (octet_length(scope) <= 255),
    id               text        not null collate "C" constraint approval_id_length check (octet_length(id) between 1 and 1024),
    run_id           text        not null collate "C" constraint approval_run_id_length check (octet_length(run_id) between 1 and 1024),
    payload          text        not null constraint approval_payload_length check (octet_length(payload) between 1 and 1048576),
    digest           text        not null collate "C" constraint approval_digest_format check (octet_length(digest) = 64 and digest ~ '^[0-9a-f]*$'),
    role             text        collate "C" constraint approval_role_length check (octet_length(role) between 1 and 128),
    status           text        not null collate "C" constraint approval_status_known
                                 check (status in ('pending', 'approved', 'rejected', 'consumed', 'withdrawn')),
    created_at       timestamptz not null,
    valid_ms         bigint      constraint approval_valid_bounds check (valid_ms between 1 and 315360000000),
    expires_at       timestamptz constraint approval_expiry_finite check (isfinite(expires_at)),   -- never is null, not infinity
    verdict          text        collate "C" constraint approval_verdict_known check (verdict in ('approved', 'rejected')),
    decided_by       text        collate "C" constraint approval_decided_by_length check (octet_length(decided_by) between 1 and 128),
    decided_as       text        collate "C" constraint approval_decided_as_length check (octet_length(decided_as) between 1 and 128),
    decided_reason   text        constraint approval_decided_reason_length check (length(decided_reason) <= 1000),
    answer           text        constraint approval_answer_length check (octet_length(answer) between 1 and 1048576),
    decided_at       timestamptz,
    consumed_by      text        collate "C" constraint approval_consumed_by_length check (octet_length(consumed_by) between 1 and 1024),
    consumed_token   bigint      constraint approval_consumed_token_positive check (consumed_token >= 1),
    consumed_at      timestamptz,
    withdrawn_by     text        collate "C" constraint approval_withdrawn_by_length check (octet_length(withdrawn_by) between 1 and 128),
    withdrawn_reason text        constraint approval_withdrawn_reason_length check (length(withdrawn_reason) <= 1000),
    withdrawn_at     timestamptz,
    heard            boolean     not null default false,
    constraint approval_pk primary key (scope, id),
    constraint approval_expiry_of_time check (valid_ms is null or expires_at is not null),
    constraint approval_decision_whole check (num_nulls(verdict, decided_by, decided_reason, decided_at) in (0, 4)),
    constraint approval_decision_extras check (verdict is not null or num_nonnulls(decided_as, answer) = 0),
    constraint approval_use_whole check (num_nulls(consumed_by, consumed_token, consumed_at) = case status when 'consumed' then 0 else 3 end),
    constraint approval_withdrawal_whole check (num_nulls(withdrawn_reason, withdrawn_at) = case status when 'withdrawn' then 0 else 2 end),
    constraint approval_withdrawal_extras check (withdrawn_by is null or status = 'withdrawn'),
    constraint approval_as_decided check (   -- whatever a statement does: what was rejected is never consumed
      case status when 'pending' then verdict is null
                  when 'withdrawn' then verdict is distinct from 'rejected'
                  when 'rejected' then verdict is not distinct from 'rejected'
                  else verdict is not distinct from 'approved' end)
) with (fillfactor = 80);   -- written three times: registered, decided, consumed

create index approval_status on ${schema}.approval (scope, status, created_at, id);
create index approval_run on ${schema}.approval (scope, run_id, created_at, id);
create index approval_unsettled on ${schema}.approval (scope, (run_id || '/')) where status not in ('rejected', 'consumed', 'withdrawn');
-- What recovery walks: not the approvals that somebody has still to decide about, however many, and none that its run knows of.
create index approval_unheard on ${schema}.approval (scope, run_id, id) where not heard and status in ('approved', 'rejected', 'withdrawn');
create index approval_lapse on ${schema}.approval (scope, expires_at, run_id) where not heard and status = 'pending' and expires_at is not null;
create index approval_expiry on ${schema}.approval (scope, expires_at, id) where status in ('pending', 'approved') and expires_at is not null;

comment on table ${schema}.approval is 'Leave to make one exact call, once: who asked, who decided what, which step consumed it.';
comment on column ${schema}.approval.scope is 'Whose approval it is: tenant or workspace; empty when unscoped.';
comment on column ${schema}.approval.id is 'The approval''s id, unique within its scope.';
comment on column ${schema}.approval.run_id is 'The run that waits for it, and under whose lease it is consumed.';
comment on column ${schema}.approval.payload is 'The exact call or question as JSON, byte-exact; text, because jsonb would change the bytes.';
comment on column ${schema}.approval.digest is 'SHA-256 of the payload''s bytes in hex; what a decision and a use have to show.';
comment on column ${schema}.approval.role is 'The role that a decision has to name; null: none.';
comment on column ${schema}.approval.status is 'pending, then approved or rejected; an approved one is then consumed. A pending or approved one may be withdrawn instead.';
comment on column ${schema}.approval.created_at is 'When it was registered, by the database''s clock.';
comment on column ${schema}.approval.valid_ms is 'For how long after its registration, in milliseconds, if it was registered so.';
comment on column ${schema}.approval.expires_at is 'From when on it can neither be decided nor consumed; null: never.';
comment on column ${schema}.approval.verdict is 'What was decided, once and for good; null: nothing yet.';
comment on column ${schema}.approval.decided_by is 'Who decided.';
comment on column ${schema}.approval.decided_as is 'In which role.';
comment on column ${schema}.approval.decided_reason is 'Why, in words; may be empty.';
comment on column ${schema}.approval.answer is 'What goes on with the decision, as JSON: an answer, edited inputs.';
comment on column ${schema}.approval.decided_at is 'When, by the database''s clock.';
comment on column ${schema}.approval.consumed_by is 'Key of the step that consumed it.';
comment on column ${schema}.approval.consumed_token is 'Fencing token of the lease under which it was consumed.';
comment on column ${schema}.approval.consumed_at is 'When, by the database''s clock.';
comment on column ${schema}.approval.withdrawn_by is 'Who took it back; null: its time was over.';
comment on column ${schema}.approval.withdrawn_reason is 'Why, in words; may be empty.';
comment on column ${schema}.approval.withdrawn_at is 'When, by the database''s clock.';
comment on column ${schema}.approval.heard is 'Whether its run was claimed, or has ended, since it was decided, was taken back or lapsed: if not, a paused run may not know.';
comment on index ${schema}.approval_status is 'Lists of a status, oldest first: who waits for a person, and what was left behind.';
comment on index ${schema}.approval_run is 'The approvals of a run, oldest first.';
comment on index ${schema}.approval_unsettled is 'Retention: whether a run of a family waits for an approval, or has one it has not consumed.';
comment on index ${schema}.approval_expiry is 'Approvals whose time is over, oldest end first.';
comment on index ${schema}.approval_unheard is 'Recovery: runs that may not know what became of an approval.';
comment on index ${schema}.approval_lapse is 'Recovery: approvals nobody decides any more, oldest end first, whose runs may not know.';
