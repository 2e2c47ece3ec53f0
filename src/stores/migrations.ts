/** One step of the tables' history, in SQL that SQLite and PostgreSQL both speak. */
export interface Migration {
  name: string
  statements: readonly string[]
}

/** In order of their making. Add at the end; one that was released is never changed. */
export const migrations: readonly Migration[] = [
  {
    name: '0001-api-keys',
    statements: [
      `create table api_keys (
        id text primary key,
        hash text not null unique,
        masked text not null,
        label text not null,
        tier text not null,
        analysis_limit integer not null,
        general_limit integer not null,
        created_at bigint not null,
        last_used_at bigint,
        revoked_at bigint
      )`,
      'create index api_keys_created_at on api_keys (created_at)',
    ],
  },
  {
    name: '0002-accounts',
    statements: [
      'alter table api_keys add column wallet text',
      'create index api_keys_wallet on api_keys (wallet)',
      'create table key_orders (id text primary key, caller text not null, ordered_at bigint not null)',
      'create index key_orders_caller on key_orders (caller, ordered_at)',
      'create index key_orders_ordered_at on key_orders (ordered_at)',
      `create table sign_in_nonces (
        nonce text primary key,
        origin text not null,
        chain text,
        issued_at bigint not null,
        expires_at bigint not null
      )`,
      'create index sign_in_nonces_expires_at on sign_in_nonces (expires_at)',
      `create table sessions (
        hash text primary key,
        wallet text not null,
        created_at bigint not null,
        expires_at bigint not null
      )`,
      'create index sessions_wallet on sessions (wallet, created_at)',
      'create index sessions_expires_at on sessions (expires_at)',
    ],
  },
  {
    name: '0003-batches',
    statements: [
      `create table batches (
        id text primary key,
        key_id text not null,
        created_at bigint not null,
        finished_at bigint,
        webhook_url text,
        webhook_secret text,
        webhook_state text not null,
        webhook_attempts integer not null
      )`,
      'create index batches_key_id on batches (key_id, finished_at)',
      'create index batches_created_at on batches (created_at)',
      `create table batch_items (
        batch_id text not null,
        position integer not null,
        request text not null,
        state text not null,
        attempts integer not null,
        result text,
        primary key (batch_id, position)
      )`,
      'create table jobs (id text primary key, ready_at bigint not null, holder text)',
      'create index jobs_ready_at on jobs (ready_at)',
    ],
  },
  {
    name: '0004-batch-shares',
    statements: [
      'alter table batches add column bytes bigint not null default 0',
      // Results from before have neither: they are in `result`, and how long they are is not known
      // without reading them.
      'alter table batch_items add column result_chars integer',
      'alter table batch_items add column packed bytea',
      'create index batches_open on batches (created_at) where finished_at is null',
      "create index batches_undelivered on batches (key_id) where webhook_state = 'waiting'",
      "alter table jobs add column owner text not null default ''",
      "alter table jobs add column lane text not null default ''",
      `create table webhook_jobs (
        id text primary key,
        ready_at bigint not null,
        holder text,
        owner text not null,
        lane text not null
      )`,
      'create index webhook_jobs_ready_at on webhook_jobs (ready_at)',
    ],
  },
  {
    // `sign_in_nonces` is of no use any more, and stays for processes of the version before this
    // one.
    name: '0005-signed-nonces',
    statements: [
      'create table used_nonces (nonce text primary key, wallet text not null, expires_at bigint not null)',
      'create index used_nonces_wallet on used_nonces (wallet)',
      'create index used_nonces_expires_at on used_nonces (expires_at)',
      'create table shared_secrets (name text primary key, secret text not null)',
    ],
  },
  {
    name: '0006-write-probes',
    statements: ['create table write_probes (name text primary key, written_at bigint not null)'],
  },
  {
    name: '0007-webhook-failures',
    statements: ['alter table batches add column webhook_failure text'],
  },
  {
    name: '0008-watches',
    statements: [
      `create table watches (
        id text primary key,
        key_id text not null,
        chain_id integer not null,
        address text not null,
        tells text not null,
        webhook_url text,
        webhook_secret text,
        created_at bigint not null,
        expires_at bigint not null
      )`,
      'create unique index watches_of_key on watches (key_id, chain_id, address)',
      'create index watches_on_token on watches (chain_id, address)',
      `create table watched_tokens (
        chain_id integer not null,
        address text not null,
        version integer not null,
        judgement text,
        dependencies text,
        judged_at bigint,
        changed_block bigint not null,
        due_at bigint not null,
        held_until bigint not null,
        failures integer not null,
        updated_at bigint not null,
        primary key (chain_id, address)
      )`,
      'create index watched_tokens_due_at on watched_tokens (due_at)',
      'create index watched_tokens_updated_at on watched_tokens (chain_id, updated_at)',
      `create table watch_chains (
        chain_id integer primary key,
        holder text not null,
        held_until bigint not null,
        place text not null
      )`,
      `create table alerts (
        id text primary key,
        place bigint not null,
        watch_id text not null,
        key_id text not null,
        chain_id integer not null,
        address text not null,
        at bigint not null,
        kind text not null,
        body text not null,
        webhook_state text not null,
        webhook_attempts integer not null,
        webhook_failure text
      )`,
      'create index alerts_of_key on alerts (key_id, place)',
      'create index alerts_at on alerts (at)',
      "create index alerts_undelivered on alerts (place) where webhook_state = 'waiting'",
      'create table alert_places (name text primary key, place bigint not null)',
      "insert into alert_places (name, place) values ('alerts', 0)",
      `create table alert_jobs (
        id text primary key,
        ready_at bigint not null,
        holder text,
        owner text not null,
        lane text not null
      )`,
      'create index alert_jobs_ready_at on alert_jobs (ready_at)',
    ],
  },
  {
    name: '0009-saved-reports',
    statements: [
      `create table saved_reports (
        id text primary key,
        owner_kind text not null,
        owner text not null,
        visibility text not null,
        created_at bigint not null,
        expires_at bigint not null,
        bytes bigint not null,
        summary text not null,
        packed bytea not null
      )`,
      'create index saved_reports_share on saved_reports (owner_kind, owner, created_at, bytes)',
      'create index saved_reports_expires_at on saved_reports (expires_at)',
    ],
  },
  {
    name: '0010-key-origins',
    statements: ["alter table api_keys add column origins text not null default ''"],
  },
  {
    name: '0011-feed',
    statements: [
      `create table feed_chains (
        chain_id integer primary key,
        holder text not null,
        held_until bigint not null,
        place text not null
      )`,
      `create table listings (
        id text primary key,
        place bigint not null,
        chain_id integer not null,
        token text not null,
        quote text not null,
        pool text not null,
        exchange text not null,
        block_number bigint not null,
        block_hash text not null,
        block_time bigint not null,
        transaction_hash text not null,
        found_at bigint not null,
        is_undone integer not null,
        changed_block bigint not null,
        supplies integer not null,
        familiarity integer not null,
        code_hash text,
        due_at bigint,
        held_until bigint not null,
        failures integer not null,
        judgement text,
        level text,
        judged_block bigint,
        judged_at bigint,
        liquidity text,
        liquidity_gwei bigint
      )`,
      'create index listings_place on listings (place)',
      'create index listings_found_at on listings (found_at)',
      'create index listings_block on listings (chain_id, block_number)',
      'create index listings_of_token on listings (chain_id, token)',
      'create index listings_due_at on listings (due_at) where due_at is not null',
      'create index listings_code on listings (code_hash)',
      `create table feed_omissions (
        place bigint primary key,
        chain_id integer not null,
        from_block bigint not null,
        to_block bigint not null,
        listings integer,
        at bigint not null
      )`,
      "insert into alert_places (name, place) values ('feed', 0)",
    ],
  },
  {
    name: '0012-contacts',
    statements: [
      "alter table watches add column contacts text not null default ''",
      `create table contacts (
        id text primary key,
        key_id text not null,
        kind text not null,
        receiver text,
        address text,
        state text not null,
        code_hash text,
        code_until bigint not null,
        stop_token text not null,
        created_at bigint not null
      )`,
      'create index contacts_of_key on contacts (key_id, created_at)',
      'create index contacts_of_receiver on contacts (receiver)',
      'create index contacts_asked on contacts (state, code_until)',
      'create unique index contacts_code on contacts (code_hash)',
      'create unique index contacts_stop_token on contacts (stop_token)',
      `create table contact_asks (
        id text primary key,
        key_id text not null,
        receiver text not null,
        at bigint not null
      )`,
      'create index contact_asks_at on contact_asks (at)',
      'create table refused_receivers (receiver text primary key, at bigint not null)',
      `create table notices (
        id text primary key,
        alert_id text not null,
        contact_id text not null,
        key_id text not null,
        place bigint not null,
        created_at bigint not null,
        state text not null,
        attempts integer not null,
        failure text,
        ended_at bigint
      )`,
      "create index notices_undelivered on notices (place) where state = 'waiting'",
      'create index notices_of_contact on notices (contact_id, ended_at)',
      'create index notices_of_key on notices (key_id, ended_at)',
      'create index notices_created_at on notices (created_at)',
      `create table notice_jobs (
        id text primary key,
        ready_at bigint not null,
        holder text,
        owner text not null,
        lane text not null
      )`,
      'create index notice_jobs_ready_at on notice_jobs (ready_at)',
      `create table bot_places (
        name text primary key,
        holder text not null,
        held_until bigint not null,
        place bigint not null
      )`,
    ],
  },
  {
    name: '0013-families',
    statements: [
      `create table family_members (
        source text not null,
        chain_id bigint not null,
        address text not null,
        code text not null,
        behaviour text not null,
        traits text not null,
        creator text,
        first_at bigint not null,
        last_at bigint not null,
        first_level text not null,
        last_level text not null,
        hostile integer not null,
        turned integer not null,
        primary key (source, chain_id, address)
      )`,
      'create index family_members_of_code on family_members (code, source, hostile, last_at)',
      'create index family_members_last_at on family_members (source, last_at)',
      'create table family_sources (source text primary key, made_at bigint not null, members integer not null)',
    ],
  },
  {
    name: '0014-outcomes',
    statements: [
      `create table outcomes (
        chain_id bigint not null,
        address text not null,
        origin text not null,
        judged_at bigint not null,
        level text not null,
        trap integer not null,
        sight text not null,
        harm text,
        harm_at bigint,
        seen_7 text,
        seen_30 text,
        due_at bigint,
        held_until bigint not null,
        failures integer not null,
        primary key (chain_id, address)
      )`,
      'create index outcomes_due_at on outcomes (due_at) where due_at is not null',
      'create index outcomes_judged_at on outcomes (judged_at)',
    ],
  },
  {
    name: '0015-key-usage',
    statements: [
      `create table key_usage (
        key_id text not null,
        day integer not null,
        analyses bigint not null,
        others bigint not null,
        primary key (key_id, day)
      )`,
      'create index key_usage_day on key_usage (day)',
    ],
  },
  {
    // The feed asks families which codes are known.
    name: '0016-listings-of-families',
    statements: ['drop index listings_code', 'alter table listings drop column code_hash'],
  },
  {
    // A watch says whether its chain is followed.
    name: '0017-chains-reached',
    statements: [
      'alter table watch_chains add column reached_at bigint',
      'alter table feed_chains add column reached_at bigint',
    ],
  },
]
