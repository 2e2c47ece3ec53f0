/*
 * A constant-product exchange of two tokens, with the fee of the pool in basis points, that passes the extra accounts of transfer
 * hooks on. Stands for an exchange in tests and in the demo.
 *
 * Pool (208 bytes): 8 bytes "assayamm", token mint 8, quote mint 40, token vault 72, quote vault 104, lp mint 136, lp supply u64 168,
 * fee u16 176, is open u8 178, bump u8 179, opens at i64 184.
 * Swap: [1, amount u64, minimum u64, extra accounts of the transfer in u8, of the transfer out u8].
 * Accounts: pool (its own authority, signs by the seeds "pool", token mint, bump), user, user's account in, user's account out, vault in,
 * vault out, mint in, mint out, token program in, token program out, extra accounts in, extra accounts out.
 */
#include "program.h"

#define ERROR_CLOSED 0x1800
#define ERROR_NOT_OPEN_YET 0x1801
#define ERROR_SLIPPAGE 0x1802
#define ERROR_WRONG_ACCOUNT 0x1803
#define ERROR_EMPTY 0x1804

/* The pool signs for its vaults. Tokens of the trader need no seeds; they do not hurt either. */
INLINE u64 transfer(struct input *in, u64 source, u64 mint, u64 destination, u64 owner, u64 program, u64 extra, u64 extras, u64 amount) {
  struct seed *seeds = (struct seed *)OWN_SCRATCH;
  struct signer *signer = (struct signer *)(OWN_SCRATCH + 64);
  u8 *word = (u8 *)(OWN_SCRATCH + 96);
  struct account *pool = &in->accounts[0];
  word[0] = 'p';
  word[1] = 'o';
  word[2] = 'o';
  word[3] = 'l';
  seeds[0].bytes = word;
  seeds[0].len = 4;
  seeds[1].bytes = pool->data + 8;
  seeds[1].len = 32;
  seeds[2].bytes = pool->data + 179;
  seeds[2].len = 1;
  signer->seeds = seeds;
  signer->count = 3;
  return transfer_tokens(in, source, mint, destination, owner, program, extra, extras, amount, signer, 1);
}

u64 entrypoint(u8 *input) {
  struct input in;
  struct clock now;
  read_input(input, &in);
  struct account *accounts = in.accounts;
  struct account *pool = &accounts[0];
  if (in.count < 10 || in.data_len < 19 || !same_key(pool->owner, in.program) || pool->data_len < 192) return ERROR_WRONG_ACCOUNT;
  if (pool->data[178] == 0) return ERROR_CLOSED;
  sol_get_clock_sysvar(&now);
  if (now.unix_time < *(i64 *)(pool->data + 184)) return ERROR_NOT_OPEN_YET;
  u8 buys = same_key(accounts[5].key, pool->data + 72);
  u8 *vault_in = pool->data + (buys ? 104 : 72);
  u8 *vault_out = pool->data + (buys ? 72 : 104);
  if (!same_key(accounts[4].key, vault_in) || !same_key(accounts[5].key, vault_out)) return ERROR_WRONG_ACCOUNT;
  u64 before = balance(&accounts[4]);
  u64 reserve = balance(&accounts[5]);
  if (before == 0 || reserve == 0) return ERROR_EMPTY;
  u64 amount = *(u64 *)(in.data + 1);
  u64 minimum = *(u64 *)(in.data + 9);
  u64 extras_in = in.data[17];
  u64 extras_out = in.data[18];
  u64 failure = transfer(&in, 2, 6, 4, 1, 8, 10, extras_in, amount);
  if (failure) return failure;
  u64 received = balance(&accounts[4]) - before;
  u64 fee = *(unsigned short *)(pool->data + 176);
  u64 priced = received - (received / 10000) * fee - ((received % 10000) * fee) / 10000;
  u64 out = constant_product(before, reserve, priced);
  if (out < minimum || out == 0) return ERROR_SLIPPAGE;
  return transfer(&in, 5, 7, 3, 0, 9, 10 + extras_in, extras_out, out);
}
