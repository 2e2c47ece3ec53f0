/*
 * Transfer hooks, one behaviour each, chosen by BEHAVIOUR. Accounts of an execution: source, mint, destination, owner, the list of
 * extra accounts, then the extra accounts. Data: 8 bytes that name the instruction, the amount (u64).
 */
#include "program.h"

#define ALLOW 0
#define DENY 1
/* The first extra account is the pool's vault: nothing may go there. */
#define DENY_SELL 2
/* The first extra account holds a time (i64): afterwards nothing may move. */
#define TIME_BOMB 3
/* The first extra account is the vault, the second holds an amount (u64): sells above it are refused. */
#define SELL_LIMIT 4
/* As SELL_LIMIT, but sells below it are refused. */
#define SELL_MINIMUM 5
/* The last extra account, when it exists and begins with 1, names somebody who may not send. */
#define BLACKLIST 6
/* The last extra account must exist and begin with 1. */
#define WHITELIST 7
/* The first extra account is the vault, the second remembers who bought: a buyer may not send. */
#define REMEMBER_BUYER 8
#define ENDLESS 9
#define LOG_FLOOD 10
#define WILD_POINTER 11
/* As TIME_BOMB, by the slot and by the epoch (u64). */
#define SLOT_BOMB 12
#define EPOCH_BOMB 13
/* The first extra account holds a time (i64): before it nothing may move. */
#define TIME_LOCK 14
/* The first extra account is the vault, the second counts sales: the second of all is refused. */
#define SELL_ONCE 15
/* As SELL_ONCE, but the sixth is refused. */
#define SELL_FIVE_TIMES 16
/* Counts sales, and refuses none. */
#define COUNT_SALES 17
/* The first extra account is the vault: one of eight owners may not send there. */
#define SOME_SELLERS 18
/* Looks at the owner's address, and refuses none. */
#define LOOK_AT_SELLER 19
/* Refuses by a hash of the day, which is never that. */
#define HASHED_DAY 20
/* The first extra account begins with 1: nothing may move. Any other instruction writes it: account 0, byte 8 of the data. */
#define SWITCH 21
/* Late, large, and into the vault: each alone does nothing. Extra accounts: the vault, a time (i64) and an amount (u64). */
#define LATE_AND_LARGE 22
/* Calls another program: the first extra account. */
#define ASK_ANOTHER 23
/* The first extra account holds a time (i64): for six hours from then on nothing may move. */
#define TIME_WINDOW 24
/* The last extra account of these is the hook itself. Calls itself until no call may lie deeper. */
#define CALLS_ITSELF 25
/* Calls itself once, and refuses nothing. */
#define CALLS_ITSELF_ONCE 26
/* Calls itself one time after the other, until nothing is left to compute with. */
#define CALLS_ITSELF_OFTEN 27

/* What the hook tells itself has a byte more than what the token program tells it. */
#define OWN_CALL 17

u64 entrypoint(u8 *input) {
  struct input in;
  read_input(input, &in);
  struct account *extra = &in.accounts[5];
  struct account *last = &in.accounts[in.count - 1];
  u64 amount = in.data_len >= 16 ? *(u64 *)(in.data + 8) : 0;
#if BEHAVIOUR == DENY
  return 0x1770;
#elif BEHAVIOUR == DENY_SELL
  if (in.count < 6) return 0x1771;
  if (same_key(in.accounts[2].key, extra->key)) return 0x1772;
#elif BEHAVIOUR == TIME_BOMB
  struct clock now;
  sol_get_clock_sysvar(&now);
  if (in.count < 6) return 0x1771;
  if (now.unix_time >= *(i64 *)extra->data) return 0x1773;
#elif BEHAVIOUR == SELL_LIMIT || BEHAVIOUR == SELL_MINIMUM
  if (in.count < 7) return 0x1771;
  u64 limit = *(u64 *)in.accounts[6].data;
  if (same_key(in.accounts[2].key, extra->key)) {
#if BEHAVIOUR == SELL_LIMIT
    if (amount > limit) return 0x1774;
#else
    if (amount < limit) return 0x1774;
#endif
  }
#elif BEHAVIOUR == BLACKLIST
  if (in.count < 6) return 0x1771;
  if (last->data_len > 0 && last->data[0] == 1) return 0x1775;
#elif BEHAVIOUR == WHITELIST
  if (in.count < 6) return 0x1771;
  if (last->data_len == 0 || last->data[0] != 1) return 0x1776;
#elif BEHAVIOUR == REMEMBER_BUYER
  if (in.count < 7) return 0x1771;
  u64 *memory = (u64 *)in.accounts[6].data;
  u64 *source = (u64 *)in.accounts[0].key;
  u64 *destination = (u64 *)in.accounts[2].key;
  if (same_key(in.accounts[0].key, extra->key)) {
    for (u64 i = 0; i < 4; i += 1) memory[i] = destination[i];
  } else if (memory[0] == source[0] && memory[1] == source[1] && memory[2] == source[2] && memory[3] == source[3]) {
    return 0x1777;
  }
#elif BEHAVIOUR == SLOT_BOMB || BEHAVIOUR == EPOCH_BOMB
  struct clock now;
  sol_get_clock_sysvar(&now);
  if (in.count < 6) return 0x1771;
#if BEHAVIOUR == SLOT_BOMB
  if (now.slot >= *(u64 *)extra->data) return 0x1773;
#else
  if (now.epoch >= *(u64 *)extra->data) return 0x1773;
#endif
#elif BEHAVIOUR == TIME_WINDOW
  struct clock now;
  sol_get_clock_sysvar(&now);
  if (in.count < 6) return 0x1771;
  if (now.unix_time >= *(i64 *)extra->data && now.unix_time < *(i64 *)extra->data + 21600) return 0x1773;
#elif BEHAVIOUR == TIME_LOCK
  struct clock now;
  sol_get_clock_sysvar(&now);
  if (in.count < 6) return 0x1771;
  if (now.unix_time < *(i64 *)extra->data) return 0x1773;
#elif BEHAVIOUR == SELL_ONCE || BEHAVIOUR == SELL_FIVE_TIMES || BEHAVIOUR == COUNT_SALES
  if (in.count < 7) return 0x1771;
  u64 *sales = (u64 *)in.accounts[6].data;
  if (same_key(in.accounts[2].key, extra->key)) {
#if BEHAVIOUR == SELL_ONCE
    if (sales[0] >= 1) return 0x1778;
#elif BEHAVIOUR == SELL_FIVE_TIMES
    if (sales[0] >= 5) return 0x1778;
#endif
    sales[0] += 1;
  }
#elif BEHAVIOUR == SOME_SELLERS
  if (in.count < 6) return 0x1771;
  if (same_key(in.accounts[2].key, extra->key) && (in.accounts[3].key[7] & 7) == 5) return 0x1779;
#elif BEHAVIOUR == LOOK_AT_SELLER
  if ((in.accounts[3].key[7] & 7) == 5) sol_log_64_(amount, 0, 0, 0, 0);
#elif BEHAVIOUR == HASHED_DAY
  struct clock now;
  sol_get_clock_sysvar(&now);
  u64 *day = (u64 *)OWN_SCRATCH;
  day[0] = (u64)now.unix_time / 86400;
  struct seed *run = (struct seed *)(OWN_SCRATCH + 8);
  run->bytes = (u8 *)day;
  run->len = 8;
  u64 *hash = (u64 *)(OWN_SCRATCH + 32);
  sol_sha256(run, 1, hash);
  if (hash[0] == 0x0123456789abcdefULL) return 0x177a;
#elif BEHAVIOUR == SWITCH
  if (in.data_len >= 9 && *(u64 *)in.data != 0x1a66fb4bc5652569ULL) in.accounts[0].data[0] = in.data[8];
  else if (in.count < 6) return 0x1771;
  else if (extra->data[0] == 1) return 0x177b;
#elif BEHAVIOUR == LATE_AND_LARGE
  struct clock now;
  sol_get_clock_sysvar(&now);
  if (in.count < 7) return 0x1771;
  u64 *terms = (u64 *)in.accounts[6].data;
  if (same_key(in.accounts[2].key, extra->key) && now.unix_time >= (i64)terms[0] && amount > terms[1]) return 0x177c;
#elif BEHAVIOUR == ASK_ANOTHER
  if (in.count < 6) return 0x1771;
  if (invoke(&in, 5, 0, 0, 0, 0) != 0) return 0x177d;
#elif BEHAVIOUR == ENDLESS
  volatile u64 turns = 0;
  for (;;) turns += 1;
#elif BEHAVIOUR == LOG_FLOOD
  for (u64 i = 0; i < 1000000; i += 1) sol_log_64_(i, i, i, i, i);
#elif BEHAVIOUR == CALLS_ITSELF
  name_account((struct meta *)SCRATCH, last, 0, 0);
  return invoke(&in, in.count - 1, 1, OWN_CALL, 0, 0);
#elif BEHAVIOUR == CALLS_ITSELF_ONCE
  if (in.data_len < OWN_CALL) return invoke(&in, in.count - 1, 0, OWN_CALL, 0, 0);
#elif BEHAVIOUR == CALLS_ITSELF_OFTEN
  while (in.data_len < OWN_CALL) invoke(&in, in.count - 1, 0, OWN_CALL, 0, 0);
#elif BEHAVIOUR == WILD_POINTER
  *(volatile u64 *)0x7ff000000000ULL = amount;
#endif
  return 0;
}
