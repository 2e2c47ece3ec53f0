/*
 * What a program finds when it is entered, and the calls it can make. Freestanding: no headers, no read-only data, no functions but
 * the entry, because the linker of scripts/compile-solana-programs.ts knows nothing else.
 * Layout of the input and of the structures: the runtime's documentation of programs in C (docs.solanalabs.com, "Program input
 * parameters" and "Cross-program invocation").
 */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#define INLINE static inline __attribute__((always_inline))
/* The program's heap: 32 KiB. The stack is too small for what a call to another program needs. */
#define HEAP 0x300000000ULL
#define MAX_ACCOUNTS 48

struct account {
  u8 *key;
  u64 *lamports;
  u64 data_len;
  u8 *data;
  u8 *owner;
  u64 rent_epoch;
  u8 is_signer;
  u8 is_writable;
  u8 executable;
};

struct input {
  struct account *accounts;
  u64 count;
  u8 *data;
  u64 data_len;
  u8 *program;
};

INLINE u64 align8(u64 at) { return (at + 7) & ~7ULL; }

INLINE u8 same_key(const u8 *a, const u8 *b) {
  const u64 *x = (const u64 *)a;
  const u64 *y = (const u64 *)b;
  return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[3];
}

/* Reads the serialized parameters. Keeps the accounts at the start of the heap. */
INLINE void read_input(u8 *at, struct input *in) {
  struct account *accounts = (struct account *)HEAP;
  u64 count = *(u64 *)at;
  at += 8;
  for (u64 i = 0; i < count && i < MAX_ACCOUNTS; i += 1) {
    struct account *account = &accounts[i];
    u8 repeated = at[0];
    if (repeated != 0xff) {
      struct account *first = &accounts[repeated];
      account->key = first->key;
      account->lamports = first->lamports;
      account->data_len = first->data_len;
      account->data = first->data;
      account->owner = first->owner;
      account->rent_epoch = first->rent_epoch;
      account->is_signer = first->is_signer;
      account->is_writable = first->is_writable;
      account->executable = first->executable;
      at += 8;
      continue;
    }
    account->is_signer = at[1];
    account->is_writable = at[2];
    account->executable = at[3];
    account->key = at + 8;
    account->owner = at + 40;
    account->lamports = (u64 *)(at + 72);
    account->data_len = *(u64 *)(at + 80);
    account->data = at + 88;
    at = (u8 *)align8((u64)(at + 88 + account->data_len + 10240));
    account->rent_epoch = *(u64 *)at;
    at += 8;
  }
  in->accounts = accounts;
  in->count = count;
  in->data_len = *(u64 *)at;
  in->data = at + 8;
  in->program = at + 8 + in->data_len;
}

extern u64 sol_log_64_(u64, u64, u64, u64, u64);
extern u64 sol_get_clock_sysvar(void *);
extern u64 sol_sha256(const void *runs, u64 count, void *hash);
extern u64 sol_invoke_signed_c(const void *instruction, const void *accounts, int accounts_len, const void *seeds, int seeds_len);

struct clock {
  u64 slot;
  i64 epoch_start;
  u64 epoch;
  u64 leader_epoch;
  i64 unix_time;
};

/* What a call to another program is made of. */
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

/* Behind the list of accounts. The first 2,240 bytes are for a call, those behind them for whoever makes it. */
#define SCRATCH (HEAP + 8192)
#define OWN_SCRATCH (SCRATCH + 2240)

INLINE u64 balance(struct account *account) { return *(u64 *)(account->data + 64); }

INLINE void write_u64(u8 *at, u64 value) {
  for (u64 i = 0; i < 8; i += 1) at[i] = (u8)(value >> (8 * i));
}

INLINE void name_account(struct meta *meta, struct account *account, u8 is_writable, u8 is_signer) {
  meta->key = account->key;
  meta->is_writable = is_writable;
  meta->is_signer = is_signer;
}

INLINE u64 invoke(struct input *in, u64 program, u64 metas, u64 data_len, struct signer *signers, u64 signer_count) {
  struct instruction *instruction = (struct instruction *)(SCRATCH + 2080);
  instruction->program = in->accounts[program].key;
  instruction->metas = (struct meta *)SCRATCH;
  instruction->meta_count = metas;
  instruction->data = (u8 *)(SCRATCH + 2048);
  instruction->data_len = data_len;
  return sol_invoke_signed_c(instruction, in->accounts, (int)in->count, signers, (int)signer_count);
}

/* A token transfer with its `extras` accounts from `extra` on, which a hook wants to see. All places are indexes of accounts. */
INLINE u64 transfer_tokens(struct input *in, u64 source, u64 mint, u64 destination, u64 owner, u64 program, u64 extra, u64 extras, u64 amount, struct signer *signers, u64 signer_count) {
  struct meta *metas = (struct meta *)SCRATCH;
  u8 *data = (u8 *)(SCRATCH + 2048);
  struct account *accounts = in->accounts;
  name_account(&metas[0], &accounts[source], 1, 0);
  name_account(&metas[1], &accounts[mint], 0, 0);
  name_account(&metas[2], &accounts[destination], 1, 0);
  name_account(&metas[3], &accounts[owner], 0, 1);
  for (u64 i = 0; i < extras; i += 1) name_account(&metas[4 + i], &accounts[extra + i], accounts[extra + i].is_writable, 0);
  data[0] = 12;
  write_u64(data + 1, amount);
  data[9] = accounts[mint].data[44];
  return invoke(in, program, 4 + extras, 10, signers, signer_count);
}

/* reserve * amount / (before + amount), without 128 bits: both are cut to what fits. */
INLINE u64 constant_product(u64 before, u64 reserve, u64 amount) {
  u64 divisor = before + amount;
  u64 shift = 0;
  while ((amount >> shift) > 0xffffffffULL || (reserve >> shift) > 0xffffffffULL) shift += 1;
  u64 out = (divisor >> shift) == 0 ? 0 : ((reserve >> shift) * (amount >> shift)) / (divisor >> shift) << shift;
  return shift > 0 && out > reserve ? reserve : out;
}
