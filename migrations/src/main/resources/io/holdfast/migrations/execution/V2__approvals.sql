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

-- A condition that always holds, and that the planner only sees to hold where a statement names a status or a run. Who looks for an
-- approval by its id does not, so no index is left but that of the key: else, of a scope of which it expects next to nothing, the
-- planner takes any index that begins with it for as good, and reads all that the scope has.
create index approval_status on ${schema}.approval (scope, status, created_at, id) where status is not null;
create index approval_run on ${schema}.approval (scope, run_id, created_at, id) where run_id is not null;
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

-- A commit to a run's journal, as a function for the reasons and by the rules of the steps of a worker: component core, version 1.
-- Steps, effects and approvals are looked for by a statement each, as is an effect in version 1, and for the same reason. It stands
-- here, and not with the journal, because it looks at approvals.
create function ${schema}.journal_commit_v1(
    patience text, in_scope text, in_run text, known_version bigint, expected bigint, in_digest text, in_owner text, in_token bigint,
    in_state text, in_state_version bigint, cursor_given boolean, in_cursor text, in_status text, ends boolean,
    step_keys text[], payload_digests text[], step_idempotency_keys text[], effect_classes text[], approval_ids text[],
    reservation_lists text[], outcomes text[], outputs text[],
    effect_steps text[], effect_indexes integer[], effect_ids text[], effect_statuses text[], effect_idempotency_keys text[],
    effect_results text[], event_types text[], event_payloads text[],
    out verdict text, out status text, out revision bigint, out events bigint, out updated_at timestamptz, out state_version bigint,
    out journal_version bigint, out step text, out approval text, out effect bigint, out taken_key text)
language plpgsql set enable_sort = off set enable_incremental_sort = off as $a_text_of_holdfasts_that_no_name_of_a_schema_is_long_enough_to_end$
#variable_conflict use_column
declare
    bounded text;
    held record;
    stored record;
    meant record;
    sent record;
    moment timestamptz;
    noted_at timestamptz;
    new_step boolean[];
    new_steps bigint := 0;
    unapproved integer;         -- the first step without leave
    new_effect boolean[];
    new_effects bigint := 0;
    at_step integer;
    approved boolean;
    clashes boolean;
    written bigint;
begin
    if patience is not null then
        bounded := set_config('lock_timeout', patience, true);
    end if;
    if ends then   -- at once in the mode that a release needs: locks are never upgraded
        select x.owner, x.token, x.expires_at into held from ${schema}.lease x
         where x.scope = in_scope and x.kind = 'run' and x.id = in_run for no key update of x;
    else           -- nobody takes the lease over before we commit, and its heartbeat goes on
        select x.owner, x.token, x.expires_at into held from ${schema}.lease x
         where x.scope = in_scope and x.kind = 'run' and x.id = in_run for key share of x;
    end if;
    select e.status, e.revision, e.steps, e.effects, e.events, e.updated_at, e.state_version, e.journal_version, e.opened_token,
           e.revision = expected + 1 and e.last_commit = in_digest as same into stored
      from ${schema}.execution e where e.scope = in_scope and e.id = in_run for no key update of e;
    -- Given back while the run was waited for, which with a revision to expect is a conflict; or renewed.
    if expected is null or held.expires_at <= clock_timestamp() then
        select x.owner, x.token, x.expires_at into held from ${schema}.lease x
         where x.scope = in_scope and x.kind = 'run' and x.id = in_run;
    end if;
    moment := clock_timestamp();
    verdict := case
        when stored.revision is null then 'NOT_FOUND'
        when stored.same then 'ALREADY_APPLIED'   -- whatever the fence says: a repeat has to hear it
        when held.owner is null then 'LOST_NONE'
        when held.owner <> in_owner or held.token <> in_token then 'LOST_SUPERSEDED'
        when held.expires_at <= moment then 'LOST_EXPIRED'
        when stored.status in ('completed', 'failed') then 'FINISHED'
        when stored.journal_version > known_version then 'UNSUPPORTED'
        when stored.revision <> expected then 'REVISION'
        when stored.status not in ('running', 'interrupted', 'paused') then 'FINISHED'   -- or what a newer release calls it
        when stored.state_version > in_state_version then 'STATE_VERSION'
        else 'DONE' end;
    status := stored.status;
    revision := stored.revision;
    events := stored.events;
    updated_at := stored.updated_at;
    state_version := stored.state_version;
    journal_version := stored.journal_version;
    if verdict <> 'DONE' then
        return;
    end if;
    -- Steps and effects are written under the run's lock alone, so what is seen of them now stays.
    for i in 1 .. cardinality(step_keys) loop
        select s.payload_digest, s.idempotency_key, s.effect_class, s.approval_id, s.reservations, s.outcome, s.output into meant
          from ${schema}.execution_step s
         where s.scope = in_scope and s.run_id = in_run and s.step_key between step_keys[i] and step_keys[i]
         order by s.step_key limit 1;
        new_step[i] := not found;
        if found then
            if payload_digests[i] is not null   -- an intent after an outcome that had none differs as well
               and (meant.payload_digest, meant.idempotency_key, meant.effect_class, meant.approval_id, meant.reservations)
                   is distinct from
                   (payload_digests[i], step_idempotency_keys[i], effect_classes[i], approval_ids[i], reservation_lists[i])
               or meant.outcome <> outcomes[i] or meant.output <> outputs[i] then
                verdict := 'STEP';
                step := step_keys[i];
                return;
            end if;
        else
            new_steps := new_steps + 1;
            if approval_ids[i] is not null and unapproved is null then   -- consumed is for good: it holds without a lock
                select p.status = 'consumed' and p.run_id = in_run and p.consumed_by = step_keys[i]
                       and p.digest = payload_digests[i]
                       and p.consumed_token >= stored.opened_token   -- not by a run of that id that was purged
                  into approved
                  from ${schema}.approval p where p.scope = in_scope and p.id between approval_ids[i] and approval_ids[i]
                 order by p.id limit 1;
                if approved is not true then
                    unapproved := i;
                end if;
            end if;
        end if;
    end loop;
    if unapproved is not null then
        if current_setting('transaction_isolation') <> 'read committed' then   -- consumed meanwhile: a lost race, no refusal
            perform from ${schema}.approval p
              where p.scope = in_scope and p.id between approval_ids[unapproved] and approval_ids[unapproved]
              order by p.id limit 1 for no key update of p skip locked;
        end if;
        verdict := 'APPROVAL';
        step := step_keys[unapproved];
        approval := approval_ids[unapproved];
        return;
    end if;
    for i in 1 .. cardinality(effect_ids) loop
        select f.status, f.idempotency_key, f.result into sent
          from ${schema}.execution_effect f
         where f.scope = in_scope and f.run_id = in_run and f.effect_id between effect_ids[i] and effect_ids[i]
         order by f.effect_id limit 1;
        new_effect[i] := not found;
        if found then
            clashes := case
                when effect_statuses[i] = 'pending' then sent.status <> 'pending' or sent.idempotency_key <> effect_idempotency_keys[i]
                when sent.status = 'pending' then false
                else sent.status <> effect_statuses[i] or sent.result is distinct from effect_results[i] end;
        elsif effect_statuses[i] <> 'pending' then
            clashes := true;
        else
            new_effects := new_effects + 1;
            at_step := array_position(step_keys, effect_steps[i]);
            if payload_digests[at_step] is not null then
                clashes := false;
                approved := approval_ids[at_step] is not null;
            else
                select s.approval_id is not null into approved from ${schema}.execution_step s
                 where s.scope = in_scope and s.run_id = in_run and s.step_key between effect_steps[i] and effect_steps[i]
                   and s.intended_at is not null
                 order by s.step_key limit 1;
                clashes := not found;
            end if;
            if approved then   -- one at a time, and only while none before it can have happened
                clashes := cardinality(array_positions(effect_steps, effect_steps[i])) > 1;
                if not clashes and new_step[at_step] is not true then   -- a new step has none, however many the run has
                    perform from ${schema}.execution_effect o
                      where o.scope = in_scope and o.run_id = in_run and o.step_key = effect_steps[i]
                        and o.resolution is distinct from 'not_applied';
                    clashes := found;
                end if;
            end if;
        end if;
        if clashes then
            verdict := 'EFFECT';
            effect := i;
            return;
        end if;
    end loop;
    noted_at := greatest(moment, stored.updated_at);
    if new_effects > 0 then   -- first what can meet a rival of another run; in the order of keys, so that crossing ones do not deadlock
        insert into ${schema}.execution_effect (scope, run_id, ordinal, step_key, index, effect_id, idempotency_key, status,
               created_at, updated_at)
        select in_scope, in_run, stored.effects + n.nth, n.step_key, n.index, n.effect_id, n.idempotency_key, 'pending', noted_at, noted_at
          from (select a.step_key, a.index, a.effect_id, a.idempotency_key, row_number() over (order by a.place) as nth
                  from unnest(effect_steps, effect_indexes, effect_ids, effect_idempotency_keys, new_effect) with ordinality
                       as a (step_key, index, effect_id, idempotency_key, is_new, place)
                 where a.is_new) n
         order by n.idempotency_key collate "C"
            on conflict do nothing;
        get diagnostics written = row_count;
        if written < new_effects then   -- another run has one of the keys: what was written of the others goes
            delete from ${schema}.execution_effect f
             where f.ctid = any (array(
                   select k.ctid from ${schema}.execution_effect k
                    where k.scope = in_scope and k.run_id = in_run and k.ordinal > stored.effects order by k.ordinal));
            for i in 1 .. cardinality(effect_ids) loop
                if new_effect[i] then
                    select f.idempotency_key into taken_key from ${schema}.execution_effect f
                     where f.scope = in_scope
                       and f.idempotency_key between effect_idempotency_keys[i] and effect_idempotency_keys[i]
                     order by f.idempotency_key limit 1;
                    exit when found;
                end if;
            end loop;
            verdict := case when taken_key is null then 'AGAIN' else 'KEY' end;   -- it may have been purged meanwhile
            return;
        end if;
    end if;
    for i in 1 .. cardinality(effect_ids) loop
        if effect_statuses[i] <> 'pending' then
            update ${schema}.execution_effect f set status = effect_statuses[i], result = effect_results[i], updated_at = noted_at
             where f.status = 'pending' and f.ctid = (
                   select k.ctid from ${schema}.execution_effect k
                    where k.scope = in_scope and k.run_id = in_run and k.effect_id between effect_ids[i] and effect_ids[i]
                    order by k.effect_id limit 1);
        end if;
    end loop;
    if new_steps > 0 then
        insert into ${schema}.execution_step (scope, run_id, ordinal, step_key, payload_digest, idempotency_key, effect_class,
               approval_id, reservations, intended_at, outcome, output, ended_at)
        select in_scope, in_run, stored.steps + row_number() over (order by a.place), a.step_key, a.payload_digest, a.idempotency_key,
               a.effect_class, a.approval_id, a.reservations, case when a.payload_digest is not null then noted_at end,
               a.outcome, a.output, case when a.outcome is not null then noted_at end
          from unnest(step_keys, payload_digests, step_idempotency_keys, effect_classes, approval_ids, reservation_lists, outcomes, outputs,
                      new_step) with ordinality
               as a (step_key, payload_digest, idempotency_key, effect_class, approval_id, reservations, outcome, output, is_new, place)
         where a.is_new;
    end if;
    for i in 1 .. cardinality(step_keys) loop
        if outcomes[i] is not null and not new_step[i] then
            update ${schema}.execution_step s set outcome = outcomes[i], output = outputs[i], ended_at = noted_at
             where s.ended_at is null and s.ctid = (
                   select k.ctid from ${schema}.execution_step k
                    where k.scope = in_scope and k.run_id = in_run and k.step_key between step_keys[i] and step_keys[i]
                    order by k.step_key limit 1);
        end if;
    end loop;
    if cardinality(event_types) > 0 then
        insert into ${schema}.execution_event (scope, run_id, sequence, type, payload, at)
        select in_scope, in_run, stored.events + v.place, v.type, v.payload, noted_at
          from unnest(event_types, event_payloads) with ordinality as v (type, payload, place);
    end if;
    update ${schema}.execution e   -- a state that is not given is not written again: its parts stay where they are
       set revision = e.revision + 1, state = coalesce(in_state, e.state), state_version = coalesce(in_state_version, e.state_version),
           cursor = case when cursor_given then in_cursor else e.cursor end, status = coalesce(in_status, e.status),
           watched = case when in_status is null then e.watched else in_status in ('running', 'interrupted') end,
           steps = e.steps + new_steps, effects = e.effects + new_effects, events = e.events + cardinality(event_types),
           last_commit = in_digest, updated_at = noted_at
     where e.scope = in_scope and e.id = in_run
    returning e.status, e.revision, e.events, e.updated_at into status, revision, events, updated_at;
    if in_status in ('completed', 'failed') then   -- nobody has to be woken for what is over, nor once it lapses
        update ${schema}.approval p set heard = true
         where p.ctid = any (array(
               select q.ctid from ${schema}.approval q
                where q.scope = in_scope and q.run_id = in_run and not q.heard and q.status <> 'consumed'
                  for no key update of q skip locked));
    end if;
    if ends then
        update ${schema}.lease x set owner = null, expires_at = moment
         where x.scope = in_scope and x.kind = 'run' and x.id = in_run;
    end if;
end
$a_text_of_holdfasts_that_no_name_of_a_schema_is_long_enough_to_end$;

comment on function ${schema}.journal_commit_v1 is 'A commit to a run''s journal: state, steps, effects, events and lease, or nothing of it.';
