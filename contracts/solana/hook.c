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
#elif BEHAVIOUR == ENDLESS
  volatile u64 turns = 0;
  for (;;) turns += 1;
#elif BEHAVIOUR == LOG_FLOOD
  for (u64 i = 0; i < 1000000; i += 1) sol_log_64_(i, i, i, i, i);
#elif BEHAVIOUR == WILD_POINTER
  *(volatile u64 *)0x7ff000000000ULL = amount;
#endif
  return 0;
}
