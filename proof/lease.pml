/*
 * The protocol of leases and fences: three actors, two keys, retention, and a clock that never stops. README.md says what is
 * promised, what is left out and which wrong protocols are known; ../docs/protocol.md, why it is right.
 *
 * A step is what the server does at once: take a lock, judge, commit. Between any two steps anybody else may take theirs, the
 * clock may tick, and the actor may crash. So every delay, of the network, of a frozen process, of a wait for a lock, is in
 * one of the runs, and all runs are looked at.
 */

/* The last tokens of the two keys: who would get a greater one hears that there is none. */
#ifndef GRANTS
#define GRANTS 2
#endif
#ifndef SECOND
#define SECOND 2
#endif
#define LAST_TOKEN(k) (k == 0 -> GRANTS : SECOND)
#define TTL 2      /* in ticks */
#define NOBODY 0
#define RETENTION 4   /* actors are 1, 2 and 3 */

#ifdef TWINS       /* 1 and 2 are one owner: two hands of a process, or it and the one started in its place */
#define OWNER(actor) (actor < 3 -> 1 : 2)
#else
#define OWNER(actor) actor
#endif

/*
 * To see that nobody waits for ever. Who may crash is never stuck; and while somebody else goes on, Spin sees nobody wait. So here
 * nobody crashes, and at any moment all may be told to begin nothing new: whoever is not done then waits for ever.
 */
#ifdef NO_CRASH
#define CRASH false
bool closing;
#else
#define CRASH true
#define closing false
#endif
#define NEW (!closing && fence == 0)
#define HOLDS (!closing && fence != 0)

/* Times are kept as what is left of them, so that a tick takes one away and no reading of the clock is ever the last. */
#if defined(TRANSACTION_TIME) || defined(TIME_IN_WHERE)
#define EARLY_CLOCK
#endif
#ifdef EARLY_CLOCK
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
 * A write to any revision (ANY + 1 is one on key 0) compares nothing, and is forgotten when it ends.
 */
byte writing[2], writer[2], pending[4], since[4];
#define ANY 2

/*
 * Of each actor: what its write has read of the lease behind the first lock, from which the lock does not keep a renewal or a
 * release. FOREIGN or over; or one more than the time that was left. Where that has passed, or the state has moved, it has to
 * look AGAIN.
 */
byte held[4];
#define FOREIGN 0
#define AGAIN 1

/* Of each actor: the end of the lease in its statement, and how long ago it read the clock, if it does not read it late. */
byte newExpires[4], late[4];
bool early[4];

/*
 * What no statement sees: the newest token that was granted, for how long its holder was told that it has the key, to whom it is
 * promised (to nobody once it is given back), and whether it was given back with a write.
 */
byte newest[2], promisedTo[2], promised[2];
bool finished[2];

mtype = { one_holder, tokens_grow, in_time, no_write_after_the_next_grant, no_write_after_the_last, no_lost_update, not_twice,
          repeats_hear_the_truth }

#define PROMISE(name, condition) if :: (condition) :: else -> printf("BROKEN: %e\n", name); assert(false) fi

#ifdef FENCE_WITHOUT_TOKEN
#define MINE (row[k] && owner[k] == OWNER(me))
#else
#define MINE (row[k] && owner[k] == OWNER(me) && token[k] == fence)
#endif
#define LIVE(k) (expires[k] + late[me] > SLACK)
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
#ifdef UPGRADES_TO_FOR_UPDATE
#define LOCKABLE(k) SHAREABLE(k)
#else
#define LOCKABLE(k) (locked[k] == NOBODY)
#endif
#define CAN_INSERT(k) (inserting[k] == NOBODY && !(row[k] && locked[k] == RETENTION))
#ifdef ANY_WRITER_IS_ME
#define LAST_IS_MINE true
#else
#define LAST_IS_MINE (writer[k] == me)
#endif
#define BUSY(k) (owner[k] != NOBODY && owner[k] != OWNER(me) && LIVE(k))
#define EXHAUSTED(k) (token[k] == LAST_TOKEN(k))

/* Commit and rollback alike: the locks go, and what was only this statement's. */
inline let_go() {
    d_step {
        if :: locked[k] == me -> locked[k] = NOBODY; forUpdate[k] = false :: else fi;
        if :: writing[k] == me -> writing[k] = NOBODY :: else fi;
        if :: inserting[k] == me -> inserting[k] = NOBODY :: else fi;
        sharing[k] = sharing[k] - shares; shares = 0;
        floorSharing = floorSharing - floorShares; floorShares = 0;
        newToken = 0; newExpires[me] = 0; early[me] = false; late[me] = 0; before = 0; held[me] = 0; ends = 0;
        if :: sharing[k] == 0 && promisedTo[k] == NOBODY -> promised[k] = 0; finished[k] = false :: else fi
    }
}

/* It knows how its write ended, or no more that there was one: it will not ask again. */
inline settled() {
    d_step { pending[me] = 0; since[me] = 0; mine = 0; if :: writer[k] == me -> writer[k] = NOBODY :: else fi }
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
    if :: BUSY(k) || EXHAUSTED(k) -> gives_up() :: else fi;
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
    PROMISE(one_holder, promised[k] == 0 || promisedTo[k] == NOBODY || promisedTo[k] == OWNER(me));
    PROMISE(tokens_grow, newToken > newest[k]);
    d_step {
        row[k] = true; owner[k] = OWNER(me); token[k] = newToken; expires[k] = newExpires[me];
        newest[k] = newToken; finished[k] = false;
        promised[k] = (newExpires[me] > SLACK -> newExpires[me] - SLACK : 0);
        promisedTo[k] = (promised[k] > 0 -> OWNER(me) : NOBODY)
    };
    settled(); fence = newToken;
    printf("%d is granted key %d with token %d\n", me, k, fence)
}

inline commit_unheard() {
    row[k] = true; owner[k] = OWNER(me); token[k] = newToken; expires[k] = newExpires[me];
    printf("%d has key %d with token %d and does not count on it\n", me, k, newToken)
}

inline lock_and_judge_renewal() {
    read_clock();
    if :: MINE && LIVE(k) :: else -> printf("%d is not to renew key %d\n", me, k); gives_up() fi;
    PROMISE(in_time, promisedTo[k] == OWNER(me) && newest[k] == fence);
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

inline give_back() {
    PROMISE(one_holder, promised[k] == 0 || promisedTo[k] == NOBODY || promisedTo[k] == OWNER(me));
#ifdef RELEASE_DELETES
    row[k] = false; token[k] = 0;
#endif
    owner[k] = NOBODY;
    if :: expires[k] > SLACK -> expires[k] = SLACK :: else fi;
    if :: newest[k] == fence -> promisedTo[k] = NOBODY :: else fi;
    printf("%d gives back key %d\n", me, k)
}

inline release() {
#ifdef RELEASE_WITHOUT_FENCE
    if :: row[k] :: else -> gives_up() fi;
#else
    if :: MINE :: else -> gives_up() fi;
#endif
    give_back()
}

inline look_at_lease() {
    read_clock();
    held[me] = FOREIGN;
    if :: MINE && LIVE(k) -> held[me] = expires[k] + late[me] - SLACK + 1 :: else fi;
#ifdef JUDGED_BETWEEN_LOCKS
    early[me] = true
#endif
}

inline lock_lease_for_write(which) {
    if :: pending[me] == 0 -> pending[me] = which + k + 1 :: else fi;   /* else it is the one whose end it does not know */
#ifndef WRITE_DOES_NOT_LOCK_THE_LEASE
    if :: row[k] -> sharing[k]++; shares = 1 :: else fi;
#endif
    look_at_lease()
}

/* Of a write that gives it back: "for no key update", at once. */
inline lock_lease_for_last_write() {
    if :: pending[me] == 0 -> pending[me] = k + 1 :: else fi;
#ifdef UPGRADES_TO_FOR_UPDATE
    if :: row[k] -> sharing[k]++; shares = 1 :: else fi;
#else
    if :: row[k] -> locked[k] = me :: else fi;
#endif
    ends = 1;
    look_at_lease()
}

inline lock_state_and_judge_write() {
    writing[k] = me;
#ifdef REPEAT_IS_A_NEW_WRITE
    since[me] = 0;
#else
    if                                           /* already applied, whatever the fence says */
    :: since[me] == 1 && LAST_IS_MINE -> PROMISE(repeats_hear_the_truth, mine == 1); let_go(); settled(); goto end
    :: else
    fi;
#endif
    if :: held[me] == FOREIGN -> printf("%d is not to write on key %d\n", me, k); gives_up() :: else fi;
#ifndef REVISION_NOT_COMPARED
    if :: since[me] == 0 :: else -> let_go(); settled(); goto end fi;
#endif
    if :: held[me] == AGAIN -> let_go(); goto end :: else fi;
    held[me] = 0;
    PROMISE(in_time, promised[k] > 0);
    printf("%d may write on key %d under token %d\n", me, k, fence)
}

inline is_moved(actor) {
    if :: pending[actor] == k + 1 && since[actor] < 2 -> since[actor]++ :: else fi;
#ifndef NOT_LOOKED_AT_AGAIN
    if
    :: held[actor] > AGAIN && (pending[actor] == k + 1 || pending[actor] == ANY + k + 1) -> held[actor] = AGAIN
    :: else
    fi
#endif
}

inline commit_write() {
    PROMISE(no_write_after_the_next_grant, newest[k] == fence);
    PROMISE(no_write_after_the_last, !finished[k]);
    PROMISE(no_lost_update, since[me] == 0);
    d_step { is_moved(1); is_moved(2); is_moved(3) };
    writer[k] = me;
    if :: pending[me] <= ANY -> mine++ :: else fi;
    PROMISE(not_twice, mine <= 1);
    if :: ends -> give_back(); finished[k] = true :: else fi
}

inline hears() {
    if :: ends -> gives_up() :: else fi;
    let_go(); settled(); goto end
}

inline hears_nothing() {
    if :: pending[me] > ANY -> settled() :: else fi;   /* whoever does not compare does not repeat either */
    let_go(); goto end
}

/* Its other hand was granted the key, and has not given it back. */
#define TOLD(k) (row[k] && token[k] == newest[k] && promisedTo[k] == OWNER(me))

proctype Actor(byte me) {
    byte k;                      /* the key that it deals with */
    byte fence;                  /* the token that it was told; 0 if it holds nothing that it knows of */
    byte mine;                   /* how often its write was committed */
    bit ends;                    /* whether its write gives the lease back */
    bit shares, floorShares;     /* its locks that are only counted */
    byte newToken, before;       /* of its statement; "before" is the row that a "where" was looked at with */

end:
    if
    /* Who holds nothing and gets nothing is where it was: not looked at. */
    :: atomic { NEW && FREE(0) && !BUSY(0) && !EXHAUSTED(0) -> k = 0; lock_and_judge_acquire(); goto grant }
    :: atomic { NEW && FREE(1) && !BUSY(1) && !EXHAUSTED(1) -> k = 1; lock_and_judge_acquire(); goto grant }
    :: atomic { NEW && !row[0] && floor < LAST_TOKEN(0) -> k = 0; find_no_row(); goto first }
    :: atomic { NEW && !row[1] && floor < LAST_TOKEN(1) -> k = 1; find_no_row(); goto first }
#ifdef TWINS
    :: atomic { NEW && TOLD(0) -> k = 0; fence = newest[0]; goto end }
    :: atomic { NEW && TOLD(1) -> k = 1; fence = newest[1]; goto end }
    :: atomic { HOLDS && SHAREABLE(k) && pending[me] == 0 -> lock_lease_for_write(ANY); goto write }
#endif
    :: atomic { HOLDS && FREE(k) -> lock_and_judge_acquire(); goto grant }   /* again: its answer was lost, say */
    :: atomic { HOLDS && !row[k] -> find_no_row(); goto first }
    :: atomic { HOLDS && locked[k] == NOBODY -> lock_and_judge_renewal(); goto renewed }
    :: atomic { HOLDS && locked[k] == NOBODY -> release(); gives_up() }
    :: atomic { HOLDS && SHAREABLE(k) -> lock_lease_for_write(0); goto write }
    :: atomic { HOLDS && LOCKABLE(k) -> lock_lease_for_last_write(); goto write }
    :: atomic { HOLDS && CRASH -> crashes() }
#ifdef EARLY_CLOCK
    :: atomic { HOLDS && !early[me] -> early[me] = true; before = token[k]; goto end }
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
#ifdef UPGRADES_TO_FOR_UPDATE
    if
    :: atomic { !ends }
    :: atomic { ends && locked[k] == NOBODY && sharing[k] == 1 -> locked[k] = me; forUpdate[k] = true }
    :: atomic { CRASH -> crashes() }
    fi;
#endif
    if
    :: atomic { commit_write(); printf("%d hears that it has written on key %d\n", me, k); hears() }
    :: atomic { CRASH -> commit_write(); printf("%d has written on key %d, unheard\n", me, k); hears_nothing() }
    :: atomic { CRASH -> crashes() }
    fi
}

#define DUE(k) row[k] && expires[k] <= SLACK && locked[k] == NOBODY && sharing[k] == 0

/* Removes rows of leases that are over and raises the floor above their tokens; floor first, and waits for nobody. */
proctype Retention() {
    byte k;
end:
#ifndef FLOOR_LOCKED_LAST
    atomic { !closing && !floorLocked && floorSharing == 0 -> floorLocked = true };
#endif
    if
    :: atomic { !closing && DUE(0) -> k = 0; locked[0] = RETENTION; forUpdate[0] = true }
    :: atomic { !closing && DUE(1) -> k = 1; locked[1] = RETENTION; forUpdate[1] = true }
#ifndef FLOOR_LOCKED_LAST
    :: atomic { floorLocked = false; goto end }
#endif
    fi;
#ifdef FLOOR_LOCKED_LAST
    atomic { !floorLocked && floorSharing == 0 -> floorLocked = true };
#endif
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
    if :: held[actor] > AGAIN && !early[actor] -> held[actor]-- :: else fi;
    tick_of(newExpires[actor])
}

proctype Clock() {
end:
    do
    :: d_step {
           !closing;
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
#ifdef NO_CRASH
    closing = true
#endif
}
