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

struct meta {
  u8 *key;
  u8 is_writable;
  u8 is_signer;
};

struct instruction {
  u8 *program;
  struct meta *metas;
  u64 meta_count;
  u8 *data;
  u64 data_len;
};

struct seed {
  const u8 *bytes;
  u64 len;
};

struct signer {
  struct seed *seeds;
  u64 count;
};

#define ERROR_CLOSED 0x1800
#define ERROR_NOT_OPEN_YET 0x1801
#define ERROR_SLIPPAGE 0x1802
#define ERROR_WRONG_ACCOUNT 0x1803
#define ERROR_EMPTY 0x1804

/* Behind the list of accounts. */
#define SCRATCH (HEAP + 8192)

INLINE u64 balance(struct account *account) { return *(u64 *)(account->data + 64); }

INLINE u64 transfer(struct input *in, u64 source, u64 mint, u64 destination, u64 owner, u64 program, u64 extra, u64 extras, u64 amount) {
  struct meta *metas = (struct meta *)SCRATCH;
  u8 *data = (u8 *)(SCRATCH + 2048);
  struct instruction *instruction = (struct instruction *)(SCRATCH + 2080);
  struct seed *seeds = (struct seed *)(SCRATCH + 2144);
  struct signer *signer = (struct signer *)(SCRATCH + 2208);
  u8 *word = (u8 *)(SCRATCH + 2240);
  struct account *accounts = in->accounts;
  struct account *pool = &accounts[0];
  metas[0].key = accounts[source].key;
  metas[0].is_writable = 1;
  metas[0].is_signer = 0;
  metas[1].key = accounts[mint].key;
  metas[1].is_writable = 0;
  metas[1].is_signer = 0;
  metas[2].key = accounts[destination].key;
  metas[2].is_writable = 1;
  metas[2].is_signer = 0;
  metas[3].key = accounts[owner].key;
  metas[3].is_writable = 0;
  metas[3].is_signer = 1;
  for (u64 i = 0; i < extras; i += 1) {
    metas[4 + i].key = accounts[extra + i].key;
    metas[4 + i].is_writable = accounts[extra + i].is_writable;
    metas[4 + i].is_signer = 0;
  }
  data[0] = 12;
  for (u64 i = 0; i < 8; i += 1) data[1 + i] = (u8)(amount >> (8 * i));
  data[9] = accounts[mint].data[44];
  instruction->program = accounts[program].key;
  instruction->metas = metas;
  instruction->meta_count = 4 + extras;
  instruction->data = data;
  instruction->data_len = 10;
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
  return sol_invoke_signed_c(instruction, accounts, (int)in->count, signer, 1);
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
  /* reserve * priced / (before + priced), without 128 bits: both are cut to what fits. */
  u64 divisor = before + priced;
  u64 shift = 0;
  while ((priced >> shift) > 0xffffffffULL || (reserve >> shift) > 0xffffffffULL) shift += 1;
  u64 out = (divisor >> shift) == 0 ? 0 : ((reserve >> shift) * (priced >> shift)) / (divisor >> shift) << shift;
  if (shift > 0 && out > reserve) out = reserve;
  if (out < minimum || out == 0) return ERROR_SLIPPAGE;
  return transfer(&in, 5, 7, 3, 0, 9, 10 + extras_in, extras_out, out);
}
