/*
 * The protocol of leases and fences: three actors, two keys, retention, and a clock that never stops. README.md says what is
 * promised, what is left out and which wrong protocols are known; ../docs/protocol.md, why it is right.
 *
 * A step is what the server does at once: take a lock, judge, commit. Between any two steps anybody else may take theirs, the
 * clock may tick, and the actor may crash. So every delay, of the network, of a frozen process, of a wait for a lock, is in
 * one of the runs, and all runs are looked at.
 */

#ifndef GRANTS
#define GRANTS 3   /* the last token: who would get a greater one hears that there is none */
#endif
#define LAST_TOKEN(k) (GRANTS - k)
#define TTL 2      /* in ticks */
#define NOBODY 0
#define RETENTION 4   /* actors are 1, 2 and 3 */

#ifdef TWINS       /* 1 and 2 are a process and the one started in its place, while what the former sent still arrives */
#define OWNER(actor) (actor < 3 -> 1 : 2)
#else
#define OWNER(actor) actor
#endif

#ifdef NO_CRASH    /* to see that nobody waits for ever: who may crash is never stuck */
#define CRASH false
#else
#define CRASH true
#endif

/* Times are kept as what is left of them, so that a tick takes one away and no reading of the clock is ever the last. */
#if defined(TRANSACTION_TIME) || defined(TIME_IN_WHERE)
#define EARLY_CLOCK
#endif
#if defined(EARLY_CLOCK) || defined(JUDGED_BETWEEN_LOCKS)
#define SLACK TTL  /* for how long something has been over matters only to who judges by an old reading */
#else
#define SLACK 0
#endif

/* Table lease, as committed. Who changes a row has it locked, so what is not committed is the actor's own. */
bool row[2];
byte owner[2], token[2], expires[2];

/* Its locks: "for key share" counted, "for no key update" and "for update" by name; and who has inserted, uncommitted. */
byte sharing[2], locked[2], inserting[2];
bool forUpdate[2];

/* Table lease_floor, one row. */
byte floor, floorSharing;
bool floorLocked;

/*
 * Table workflow: who has the row locked, and whose write is the last. Of each actor: on which key (0 is none, 1 is key 0) it
 * has a write that it does not know the end of, and how many were written since it read the state; 2 is any more than one.
 */
byte writing[2], writer[2], pending[4], since[4];

/* Of each actor: the end of the lease in its statement, and how long ago it read the clock, if it does not read it late. */
byte newExpires[4], late[4];
bool early[4];

/* What no statement sees: the newest token that was granted, who was promised the key, for how long. */
byte newest[2], promisedTo[2], promised[2];

mtype = { one_holder, tokens_grow, in_time, no_write_after_the_next_grant, no_lost_update, not_twice, repeats_hear_the_truth }

#define PROMISE(name, condition) if :: (condition) :: else -> printf("BROKEN: %e\n", name); assert(false) fi

#ifdef FENCE_WITHOUT_TOKEN
#define MINE (row[k] && owner[k] == OWNER(me))
#else
#define MINE (row[k] && owner[k] == OWNER(me) && token[k] == fence)
#endif
#define LIVE (expires[k] + late[me] > SLACK)
#if defined(NO_LOCK)
#define FREE(k) row[k]
#elif defined(TAKEOVER_DOES_NOT_WAIT_FOR_WRITERS)
#define FREE(k) (row[k] && locked[k] == NOBODY)
#else
#define FREE(k) (row[k] && locked[k] == NOBODY && sharing[k] == 0)
#endif
#ifdef WRITE_DOES_NOT_LOCK_THE_LEASE
#define SHAREABLE(k) true
#else
#define SHAREABLE(k) (!forUpdate[k])
#endif
#ifdef FLOOR_NOT_LOCKED
#define FLOOR_UNLOCKED true
#else
#define FLOOR_UNLOCKED false
#endif
#define CAN_INSERT(k) (inserting[k] == NOBODY && !(row[k] && locked[k] == RETENTION))
#define OTHERS (owner[k] != NOBODY && owner[k] != OWNER(me))

/* Commit and rollback alike: the locks go, and what was only this statement's. */
inline let_go() {
    if :: locked[k] == me -> locked[k] = NOBODY; forUpdate[k] = false :: else fi;
    if :: writing[k] == me -> writing[k] = NOBODY :: else fi;
    if :: inserting[k] == me -> inserting[k] = NOBODY :: else fi;
    sharing[k] = sharing[k] - shares; shares = 0;
    floorSharing = floorSharing - floorShares; floorShares = 0;
    newToken = 0; newExpires[me] = 0; early[me] = false; late[me] = 0; before = 0
}

/* It knows how its write ended, or no more that there was one: it will not ask again. */
inline settled() {
    pending[me] = 0; since[me] = 0; mine = 0;
    if :: writer[k] == me -> writer[k] = NOBODY :: else fi
}

inline gives_up() { let_go(); settled(); fence = 0; k = 0; goto end }

/* What it knew is gone; what it had open, the server rolls back. */
inline crashes() { printf("%d crashes\n", me); gives_up() }

/* The clock is read behind the locks, or, wrongly, before; a "where" is looked at again after a wait if the row has changed. */
inline read_clock() {
#ifdef TIME_IN_WHERE
    if :: token[k] != before -> late[me] = 0 :: else fi
#else
    skip
#endif
}

inline ends_in_a_whole_ttl() { newExpires[me] = TTL + SLACK - late[me] }

inline lock_and_judge_acquire() {
    read_clock();
    if :: OTHERS && LIVE || token[k] == LAST_TOKEN(k) -> gives_up() :: else fi;   /* busy; exhausted */
#ifndef NO_LOCK
    locked[k] = me;
#ifndef TAKEOVER_DOES_NOT_WAIT_FOR_WRITERS
    forUpdate[k] = true;
#endif
#endif
    newToken = token[k] + 1;
#ifdef SAME_OWNER_SAME_TOKEN
    if :: owner[k] == OWNER(me) -> newToken = token[k] :: else fi;
#endif
    ends_in_a_whole_ttl()
}

inline find_no_row() {
#ifdef FLOOR_NOT_LOCKED
    newToken = floor + 1
#else
    skip
#endif
}

inline lock_floor() {
#ifndef FLOOR_NOT_LOCKED
    floorSharing++; floorShares = 1; newToken = floor + 1;
#endif
    if :: newToken > LAST_TOKEN(k) -> gives_up() :: else fi;   /* exhausted */
    ends_in_a_whole_ttl()
}

inline commit_grant() {
    PROMISE(one_holder, promised[k] == 0 || promisedTo[k] == OWNER(me));
    PROMISE(tokens_grow, newToken > newest[k]);
    row[k] = true; owner[k] = OWNER(me); token[k] = newToken; expires[k] = newExpires[me];
    newest[k] = newToken;
    promised[k] = (newExpires[me] > SLACK -> newExpires[me] - SLACK : 0);
    promisedTo[k] = (promised[k] > 0 -> OWNER(me) : NOBODY);
    settled(); fence = newToken;
    printf("%d is granted key %d with token %d\n", me, k, fence)
}

inline commit_unheard() {
    row[k] = true; owner[k] = OWNER(me); token[k] = newToken; expires[k] = newExpires[me];
    printf("%d has key %d with token %d and does not count on it\n", me, k, newToken)
}

inline lock_and_judge_renewal() {
    read_clock();
    if :: MINE && LIVE :: else -> printf("%d is not to renew key %d\n", me, k); gives_up() fi;
    PROMISE(in_time, promised[k] > 0 && newest[k] == fence);
    locked[k] = me;
    ends_in_a_whole_ttl();
    if :: expires[k] > newExpires[me] -> newExpires[me] = expires[k] :: else fi
}

inline commit_renewal() {
    expires[k] = newExpires[me];
    if
    :: newExpires[me] > promised[k] + SLACK -> promised[k] = newExpires[me] - SLACK; promisedTo[k] = OWNER(me)
    :: else
    fi;
    printf("%d renews key %d\n", me, k)
}

inline release() {
#ifdef RELEASE_WITHOUT_FENCE
    if :: row[k] :: else -> gives_up() fi;
#else
    if :: MINE :: else -> gives_up() fi;
#endif
#ifdef RELEASE_DELETES
    row[k] = false; token[k] = 0;
#endif
    owner[k] = NOBODY;
    if :: expires[k] > SLACK -> expires[k] = SLACK :: else fi;
    if :: newest[k] == fence -> promised[k] = 0; promisedTo[k] = NOBODY :: else fi;
    printf("%d releases key %d\n", me, k)
}

inline lock_lease_for_write() {
    pending[me] = k + 1;                         /* if it does not know the end of its last write, it is that one again */
#ifdef JUDGED_BETWEEN_LOCKS
    early[me] = true;
#endif
#ifdef WRITE_DOES_NOT_LOCK_THE_LEASE
    skip
#else
    sharing[k]++; shares = 1
#endif
}

inline lock_state_and_judge_write() {
    writing[k] = me;
    read_clock();
#ifdef REPEAT_IS_A_NEW_WRITE
    since[me] = 0;
#else
    if                                           /* already applied, whatever the fence says */
    :: since[me] == 1 && writer[k] == me -> PROMISE(repeats_hear_the_truth, mine == 1); let_go(); settled(); goto end
    :: else
    fi;
#endif
    if :: MINE && LIVE :: else -> printf("%d is not to write on key %d\n", me, k); gives_up() fi;
    if :: since[me] == 0 :: else -> let_go(); settled(); goto end fi;
    PROMISE(in_time, promised[k] > 0);
    printf("%d may write on key %d under token %d\n", me, k, fence)
}

inline commit_write() {
    PROMISE(no_write_after_the_next_grant, newest[k] == fence);
    PROMISE(no_lost_update, since[me] == 0);
    if :: pending[1] == k + 1 && since[1] < 2 -> since[1]++ :: else fi;
    if :: pending[2] == k + 1 && since[2] < 2 -> since[2]++ :: else fi;
    if :: pending[3] == k + 1 && since[3] < 2 -> since[3]++ :: else fi;
    writer[k] = me; mine++;
    PROMISE(not_twice, mine == 1)
}

proctype Actor(byte me) {
    byte k;                      /* the key that it deals with */
    byte fence;                  /* the token that it was told; 0 if it holds nothing that it knows of */
    byte mine;                   /* how often its write was committed */
    bit shares, floorShares;     /* its locks that are only counted */
    byte newToken, before;       /* of its statement; "before" is the row that a "where" was looked at with */

end:
    if
    :: atomic { fence == 0 && FREE(0) -> k = 0; lock_and_judge_acquire(); goto grant }
    :: atomic { fence == 0 && FREE(1) -> k = 1; lock_and_judge_acquire(); goto grant }
    :: atomic { fence == 0 && !row[0] -> k = 0; find_no_row(); goto first }
    :: atomic { fence == 0 && !row[1] -> k = 1; find_no_row(); goto first }
    :: atomic { fence != 0 && FREE(k) -> lock_and_judge_acquire(); goto grant }   /* again: its answer was lost, say */
    :: atomic { fence != 0 && !row[k] -> find_no_row(); goto first }
    :: atomic { fence != 0 && locked[k] == NOBODY -> lock_and_judge_renewal(); goto renewed }
    :: atomic { fence != 0 && locked[k] == NOBODY -> release(); gives_up() }
    :: atomic { fence != 0 && SHAREABLE(k) -> lock_lease_for_write(); goto write }
    :: atomic { fence != 0 && CRASH -> crashes() }
#ifdef EARLY_CLOCK
    :: atomic { fence != 0 && !early[me] -> early[me] = true; before = token[k]; goto end }
#endif
    fi;

first:
    if
    :: atomic { !floorLocked || FLOOR_UNLOCKED -> lock_floor() }
    :: atomic { CRASH -> crashes() }
    fi;
    if
    :: atomic { CAN_INSERT(k) && row[k] -> gives_up() }             /* again: "on conflict do nothing" */
    :: atomic {
           CAN_INSERT(k) && !row[k] ->
           inserting[k] = me;
           if :: newExpires[me] + late[me] == TTL + SLACK -> goto grant :: else fi
       }
    :: atomic { CRASH -> crashes() }
    fi;
    if                                           /* again: the insert has waited, and part of its time is gone */
    :: atomic { commit_unheard(); gives_up() }
    :: atomic { CRASH -> crashes() }
    fi;

grant:
    if
    :: atomic { commit_grant(); let_go(); goto end }
    :: atomic { CRASH -> crashes() }
    fi;

renewed:
    if
    :: atomic { commit_renewal(); let_go(); goto end }
    :: atomic { CRASH -> crashes() }
    fi;

write:
    if
    :: atomic { writing[k] == NOBODY -> lock_state_and_judge_write() }
    :: atomic { CRASH -> crashes() }
    fi;
    if
    :: atomic { commit_write(); printf("%d hears that it has written on key %d\n", me, k); let_go(); settled(); goto end }
    :: atomic { CRASH -> commit_write(); printf("%d has written on key %d, unheard\n", me, k); let_go(); goto end }
    :: atomic { CRASH -> crashes() }
    fi
}

#define DUE(k) row[k] && expires[k] <= SLACK && locked[k] == NOBODY && sharing[k] == 0

/* Removes rows of leases that are over and raises the floor above their tokens; floor first, and waits for nobody. */
proctype Retention() {
    byte k;
end:
    atomic { !floorLocked && floorSharing == 0 -> floorLocked = true };
    if
    :: atomic { DUE(0) -> k = 0; locked[0] = RETENTION; forUpdate[0] = true }
    :: atomic { DUE(1) -> k = 1; locked[1] = RETENTION; forUpdate[1] = true }
    :: atomic { floorLocked = false; goto end }
    fi;
    if
    :: atomic {
#ifndef PURGE_FORGETS_TOKENS
           if :: token[k] > floor -> floor = token[k] :: else fi;
#endif
           row[k] = false; owner[k] = NOBODY; token[k] = 0; expires[k] = 0;
           printf("key %d is purged\n", k)
       }
    :: CRASH
    fi;
    atomic { locked[k] = NOBODY; forUpdate[k] = false; floorLocked = false; k = 0; goto end }
}

inline tick_of(left) { if :: left > 0 -> left-- :: else fi }

inline tick_of_statement(actor) {
    if :: early[actor] && late[actor] < SLACK -> late[actor]++ :: else fi;
    tick_of(newExpires[actor])
}

proctype Clock() {
end:
    do
    :: atomic {
           tick_of(expires[0]); tick_of(expires[1]);
           tick_of(promised[0]); tick_of(promised[1]);
           if :: promised[0] == 0 -> promisedTo[0] = NOBODY :: else fi;
           if :: promised[1] == 0 -> promisedTo[1] = NOBODY :: else fi;
           tick_of_statement(1); tick_of_statement(2); tick_of_statement(3);
           printf("the clock ticks\n")
       }
    od
}

init {
    atomic { run Actor(1); run Actor(2); run Actor(3); run Retention(); run Clock() }
}
