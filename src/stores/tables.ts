/** Columns as both databases hold them. Times are milliseconds since 1970. */
export interface Tables {
  api_keys: {
    id: string
    hash: string
    masked: string
    label: string
    wallet: string | null
    tier: string
    analysis_limit: number
    general_limit: number
    /** Separated by spaces, which no origin has. */
    origins: string
    created_at: number
    last_used_at: number | null
    revoked_at: number | null
  }
  /** Days since 1970. */
  key_usage: { key_id: string; day: number; analyses: number; others: number }
  /** Who made keys lately: counted, and forgotten after a day. */
  key_orders: { id: string; caller: string; ordered_at: number }
  /** Nonces that a wallet signed in with, until they are past their time. */
  used_nonces: { nonce: string; wallet: string; expires_at: number }
  /** Made once, for all processes: hex. */
  shared_secrets: { name: string; secret: string }
  /** Written to see whether anything can be. */
  write_probes: { name: string; written_at: number }
  sessions: { hash: string; wallet: string; created_at: number; expires_at: number }
  batches: {
    id: string
    key_id: string
    created_at: number
    finished_at: number | null
    webhook_url: string | null
    webhook_secret: string | null
    webhook_state: string
    webhook_attempts: number
    webhook_failure: string | null
    /** What its requests and results take. */
    bytes: number
  }
  /**
   * `request` is JSON, and so is what `packed` holds. Rows of earlier versions have it in `result`,
   * with no `result_chars`.
   */
  batch_items: {
    batch_id: string
    position: number
    request: string
    state: string
    attempts: number
    result: string | null
    result_chars: number | null
    packed: Uint8Array | null
  }
  jobs: JobRow
  webhook_jobs: JobRow
  alert_jobs: JobRow
  notice_jobs: JobRow
  /** `receiver` is what of an address is counted and refused; Telegram's is known once it wrote. */
  contacts: {
    id: string
    key_id: string
    kind: string
    receiver: string | null
    address: string | null
    state: string
    /** SHA-256 of the code that confirms it, until `code_until`. */
    code_hash: string | null
    code_until: number
    stop_token: string
    created_at: number
  }
  contact_asks: { id: string; key_id: string; receiver: string; at: number }
  refused_receivers: { receiver: string; at: number }
  /** One alert for one contact; `place` is the alert's. */
  notices: {
    id: string
    alert_id: string
    contact_id: string
    key_id: string
    place: number
    created_at: number
    state: string
    attempts: number
    failure: string | null
    ended_at: number | null
  }
  /** How far a bot's messages were read, and by which process they are. */
  bot_places: { name: string; holder: string; held_until: number; place: number }
  watches: {
    id: string
    key_id: string
    chain_id: number
    address: string
    /** Kinds of alerts, with a space between. */
    tells: string
    webhook_url: string | null
    webhook_secret: string | null
    created_at: number
    expires_at: number
    /** Ids of contacts, with a space between. */
    contacts: string
  }
  /** `judgement` and `dependencies` are JSON. A process has the token until `held_until`. */
  watched_tokens: {
    chain_id: number
    address: string
    version: number
    judgement: string | null
    dependencies: string | null
    judged_at: number | null
    changed_block: number
    due_at: number
    held_until: number
    failures: number
    updated_at: number
  }
  /**
   * `place` is JSON: the last blocks that were looked at. `reached_at` is when the newest block was
   * the last of them, as far as that was told.
   */
  watch_chains: { chain_id: number; holder: string; held_until: number; place: string; reached_at: number | null }
  alerts: {
    id: string
    place: number
    watch_id: string
    key_id: string
    chain_id: number
    address: string
    at: number
    kind: string
    /** JSON. */
    body: string
    webhook_state: string
    webhook_attempts: number
    webhook_failure: string | null
  }
  /**
   * The place of the newest alert: a transaction that adds one holds this row until it can be seen.
   */
  alert_places: { name: string; place: number }
  /** As `watch_chains`, for the feed of new markets. */
  feed_chains: Tables['watch_chains']
  /**
   * Tokens that came to a market. Free to be judged from `due_at` on, if that is not null;
   * `liquidity` is in wei, and the other in units that a number holds. `judgement` is JSON.
   */
  listings: {
    id: string
    place: number
    chain_id: number
    token: string
    quote: string
    pool: string
    exchange: string
    block_number: number
    block_hash: string
    block_time: number
    transaction_hash: string
    found_at: number
    is_undone: number
    changed_block: number
    /** How often its pool was given liquidity while none was found in it. */
    supplies: number
    familiarity: number
    due_at: number | null
    held_until: number
    failures: number
    judgement: string | null
    level: string | null
    judged_block: number | null
    judged_at: number | null
    liquidity: string | null
    liquidity_gwei: number | null
  }
  /** What the feed left out. */
  feed_omissions: {
    place: number
    chain_id: number
    from_block: number
    to_block: number
    /** Null where it is not known how many there were. */
    listings: number | null
    at: number
  }
  /**
   * Reports that can be shown. `summary` and what `packed` holds are JSON; `bytes` is what both
   * take.
   */
  saved_reports: {
    id: string
    owner_kind: string
    owner: string
    visibility: string
    created_at: number
    expires_at: number
    bytes: number
    summary: string
    packed: Uint8Array
  }
  /**
   * Tokens by their code; `source` is empty for those judged here. `traits` are lines, `hostile`
   * and `turned` 0 or 1.
   */
  family_members: {
    source: string
    chain_id: number
    address: string
    code: string
    behaviour: string
    traits: string
    creator: string | null
    first_at: number
    last_at: number
    first_level: string
    last_level: string
    hostile: number
    turned: number
  }
  family_sources: { source: string; made_at: number; members: number }
  /**
   * Verdicts that are followed. `trap` is 0 or 1, `sight` JSON: the market then; `due_at` is null
   * once there is nothing left to see.
   */
  outcomes: {
    chain_id: number
    address: string
    origin: string
    judged_at: number
    level: string
    trap: number
    sight: string
    harm: string | null
    harm_at: number | null
    seen_7: string | null
    seen_30: string | null
    due_at: number | null
    held_until: number
    failures: number
  }
}

/**
 * A job is free from `ready_at` on; the worker that holds it moves that time ahead again and again.
 */
interface JobRow {
  id: string
  ready_at: number
  holder: string | null
  owner: string
  lane: string
}
