/*
 * Stands in tests for pump's launch curve (CURVE) and for PumpSwap (POOL), whose programs may not be shipped: takes the instructions
 * `buy_exact_quote_in_v2` and `sell_v2` with the accounts in their published places, checks what it uses of them, and trades by a constant
 * product with a fee of 1 %. Nothing else of the two is here, so that it shows that our instructions say what they mean, and not that
 * the real programs take them.
 * Source of the places and layouts: pump-fun/pump-public-docs, docs/instructions and idl.
 */
#include "program.h"

#define CURVE 1
#define POOL 2

#define ERROR_WRONG_ACCOUNT 0x1903
#define ERROR_SLIPPAGE 0x1902
#define ERROR_COMPLETE 0x1901

#define BUY 0xc2

#if VENUE == CURVE
#define MINT 1
#define COIN_PROGRAM 3
#define FEE_RECIPIENT 6
#define MARKET 10
#define COIN_VAULT 11
#define TRADER 13
#define TRADER_COIN 14
#else
#define MARKET 0
#define TRADER 1
#define MINT 3
#define QUOTE_MINT 4
#define TRADER_COIN 5
#define TRADER_QUOTE 6
#define COIN_VAULT 7
#define QUOTE_VAULT 8
#define COIN_PROGRAM 9
#define QUOTE_PROGRAM 10
#endif

INLINE void add_seed(struct signer *signer, const u8 *bytes, u64 len) {
  signer->seeds[signer->count].bytes = bytes;
  signer->seeds[signer->count].len = len;
  signer->count += 1;
}

INLINE u64 less_fee(u64 amount) { return amount - amount / 100; }

#if VENUE == CURVE
extern u64 sol_try_find_program_address(const void *seeds, u64 count, const u8 *program, u8 *address, u8 *bump);

INLINE void sign_as_market(struct input *in, struct signer *signer) {
  u8 *word = (u8 *)(OWN_SCRATCH + 160);
  u8 *address = (u8 *)(OWN_SCRATCH + 192);
  u8 *bump = (u8 *)(OWN_SCRATCH + 224);
  write_u64(word, 0x676e69646e6f62ULL | ((u64)'-' << 56));
  write_u64(word + 8, (u64)'c' | ((u64)'u' << 8) | ((u64)'r' << 16) | ((u64)'v' << 24) | ((u64)'e' << 32));
  /* "bonding" has seven letters, and the hyphen is the eighth. */
  add_seed(signer, word, 13);
  add_seed(signer, in->accounts[MINT].key, 32);
  sol_try_find_program_address(signer->seeds, 2, in->program, address, bump);
  add_seed(signer, bump, 1);
}

INLINE u64 pay_coins(struct input *in, u64 system, u64 to, u64 lamports) {
  struct meta *metas = (struct meta *)SCRATCH;
  u8 *data = (u8 *)(SCRATCH + 2048);
  name_account(&metas[0], &in->accounts[TRADER], 1, 1);
  name_account(&metas[1], &in->accounts[to], 1, 0);
  data[0] = 2;
  data[1] = 0;
  data[2] = 0;
  data[3] = 0;
  write_u64(data + 4, lamports);
  return invoke(in, system, 2, 12, (struct signer *)OWN_SCRATCH, 0);
}

INLINE u64 trade(struct input *in, u8 buys, u64 amount, u64 minimum, struct signer *signer) {
  struct account *curve = &in->accounts[MARKET];
  u64 *reserves = (u64 *)(curve->data + 8);
  if (in->count != (buys ? 27 : 26)) return ERROR_WRONG_ACCOUNT;
  if (curve->data[48]) return ERROR_COMPLETE;
  if (buys) {
    u64 priced = less_fee(amount);
    u64 out = constant_product(reserves[1], reserves[0], priced);
    if (out < minimum) return ERROR_SLIPPAGE;
    u64 failure = pay_coins(in, 24, MARKET, priced);
    if (failure) return failure;
    failure = pay_coins(in, 24, FEE_RECIPIENT, amount - priced);
    if (failure) return failure;
    reserves[0] -= out;
    reserves[1] += priced;
    reserves[2] -= out;
    reserves[3] += priced;
    return transfer_tokens(in, COIN_VAULT, MINT, TRADER_COIN, MARKET, COIN_PROGRAM, 0, 0, out, signer, 1);
  }
  u64 out = constant_product(reserves[0], reserves[1], amount);
  u64 paid = less_fee(out);
  if (paid < minimum || out > reserves[3]) return ERROR_SLIPPAGE;
  u64 failure = transfer_tokens(in, TRADER_COIN, MINT, COIN_VAULT, TRADER, COIN_PROGRAM, 0, 0, amount, signer, 1);
  if (failure) return failure;
  reserves[0] += amount;
  reserves[1] -= out;
  reserves[2] += amount;
  reserves[3] -= out;
  *curve->lamports -= out;
  *in->accounts[TRADER].lamports += paid;
  *in->accounts[FEE_RECIPIENT].lamports += out - paid;
  return 0;
}
#else
INLINE void sign_as_market(struct input *in, struct signer *signer) {
  struct account *pool = &in->accounts[MARKET];
  u8 *word = (u8 *)(OWN_SCRATCH + 160);
  write_u64(word, (u64)'p' | ((u64)'o' << 8) | ((u64)'o' << 16) | ((u64)'l' << 24));
  add_seed(signer, word, 4);
  add_seed(signer, pool->data + 9, 2);
  add_seed(signer, pool->data + 11, 32);
  add_seed(signer, pool->data + 43, 32);
  add_seed(signer, pool->data + 75, 32);
  add_seed(signer, pool->data + 8, 1);
}

INLINE u64 trade(struct input *in, u8 buys, u64 amount, u64 minimum, struct signer *signer) {
  struct account *accounts = in->accounts;
  u8 *pool = accounts[MARKET].data;
  if (in->count != 17 || !same_key(accounts[COIN_VAULT].key, pool + 139) || !same_key(accounts[QUOTE_VAULT].key, pool + 171)) return ERROR_WRONG_ACCOUNT;
  u64 coins = balance(&accounts[COIN_VAULT]);
  u64 quote = balance(&accounts[QUOTE_VAULT]);
  u64 out = buys ? constant_product(quote, coins, less_fee(amount)) : constant_product(coins, quote, less_fee(amount));
  if (out < minimum) return ERROR_SLIPPAGE;
  u64 failure = buys ? transfer_tokens(in, TRADER_QUOTE, QUOTE_MINT, QUOTE_VAULT, TRADER, QUOTE_PROGRAM, 0, 0, amount, signer, 1)
                     : transfer_tokens(in, TRADER_COIN, MINT, COIN_VAULT, TRADER, COIN_PROGRAM, 0, 0, amount, signer, 1);
  if (failure) return failure;
  return buys ? transfer_tokens(in, COIN_VAULT, MINT, TRADER_COIN, MARKET, COIN_PROGRAM, 0, 0, out, signer, 1)
              : transfer_tokens(in, QUOTE_VAULT, QUOTE_MINT, TRADER_QUOTE, MARKET, QUOTE_PROGRAM, 0, 0, out, signer, 1);
}
#endif

u64 entrypoint(u8 *input) {
  struct input in;
  read_input(input, &in);
  struct account *market = &in.accounts[MARKET];
  struct signer *signer = (struct signer *)(OWN_SCRATCH + 128);
  if (in.count < 17 || in.data_len < 24 || market->data_len < 151 || !same_key(market->owner, in.program)) return ERROR_WRONG_ACCOUNT;
  if (!in.accounts[TRADER].is_signer) return ERROR_WRONG_ACCOUNT;
  signer->seeds = (struct seed *)OWN_SCRATCH;
  signer->count = 0;
  sign_as_market(&in, signer);
  return trade(&in, in.data[0] == BUY, *(u64 *)(in.data + 8), *(u64 *)(in.data + 16), signer);
}
