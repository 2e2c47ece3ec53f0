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
]
