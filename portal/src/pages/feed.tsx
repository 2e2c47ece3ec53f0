import { type FormEvent, useEffect, useId, useState } from 'react'
import { RequestError } from '../api/api-client.js'
import { type FeedChoice, type FeedPageBody, type Listing, type Omission, readFeed } from '../api/feed.js'
import { useChain, useChains } from '../chains.js'
import { formatCoins, formatTime } from '../format.js'
import { ChainSelect } from '../parts/chain-select.js'
import { ExactField } from '../parts/exact-field.js'
import { Level, Token } from '../parts/judged-token.js'
import { KeyEntry } from '../parts/key-entry.js'
import { useSession } from '../session.js'

/** Tokens that came to a market, the newest first, with their verdicts. */
export function FeedPage() {
  const { apiKey } = useSession()
  return apiKey === undefined ? <KeyFirst /> : <Feed key={apiKey} apiKey={apiKey} />
}

const KeyFirst = () => (
  <div className="page narrow">
    <h1>New markets, judged as they open.</h1>
    <p className="lead">
      Pools that the exchanges of a chain have just made, and what is to be said of their tokens. The feed is read with
      a key.
    </p>
    <KeyEntry label="The key, for this visit only" />
  </div>
)

/** How often the service is asked. */
const LOOK_MS = 3_000
const EVERYTHING: FeedChoice = { chainId: '', level: '', minLiquidity: '' }

function Feed({ apiKey }: { apiKey: string }) {
  const [choice, setChoice] = useState(EVERYTHING)
  const [page, setPage] = useState<FeedPageBody>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    let timer = 0
    let isOver = false
    const look = async () => {
      try {
        const read = await readFeed(apiKey, choice)
        if (isOver) return
        setPage(read)
        setProblem('')
      } catch (error) {
        setProblem(error instanceof RequestError ? `${error.failure.errorReason}.` : 'That did not work.')
      }
      if (!isOver) timer = window.setTimeout(() => void look(), LOOK_MS)
    }
    void look()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [apiKey, choice])
  return (
    <div className="page watches">
      <h1>New markets</h1>
      <FilterForm onChoose={setChoice} />
      <p className="problem" role="alert">
        {problem}
      </p>
      <p className="quiet">{page && summaryOf(page)}</p>
      {page?.followed
        .filter(({ isCurrent }) => !isCurrent)
        .map(({ chainId, reachedAt }) => (
          <NotLookedAt key={chainId} chainId={chainId} since={reachedAt} />
        ))}
      <ul className="watch-list" aria-label="New markets">
        {page?.listings.map((listing) => (
          <ListingRow key={listing.id} listing={listing} />
        ))}
      </ul>
      {page && page.omissions.length > 0 && (
        <section aria-labelledby="omissions-title">
          <h2 id="omissions-title">Left out</h2>
          <ul className="watch-list" aria-labelledby="omissions-title">
            {page.omissions.map((omission) => (
              <li key={`${omission.chainId} ${omission.fromBlock}`}>{textOf(omission)}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function summaryOf({ chains, listings }: FeedPageBody): string {
  if (chains.length === 0) return 'This service follows no new markets: its operator names the chains (ASSAY_FEED).'
  return listings.length === 0
    ? 'Nothing yet. This page looks by itself.'
    : 'The newest first. This page looks by itself.'
}

function NotLookedAt({ chainId, since }: { chainId: Listing['chainId']; since: string }) {
  const { name } = useChain(String(chainId))
  return (
    <p className="problem">
      {name} is not looked at since {formatTime(since)}: no node tells the newest blocks.
    </p>
  )
}

const LEVELS = ['Safe', 'Low Risk', 'Medium Risk', 'High Risk', 'Critical Risk']

function FilterForm({ onChoose }: { onChoose(choice: FeedChoice): void }) {
  const levelId = useId()
  const problemId = useId()
  const [problem, setProblem] = useState('')
  const chains = useChains()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const field = (name: string) => String(form.get(name) ?? '').trim()
    const minLiquidity = field('liquidity')
    if (!/^(\d{1,9}(\.\d{1,18})?)?$/.test(minLiquidity)) return setProblem('An amount is a number such as 1.5.')
    setProblem('')
    onChoose({ chainId: field('chain'), level: field('level'), minLiquidity })
  }
  return (
    <form className="target-form" onSubmit={submit} noValidate>
      <ExactField
        name="liquidity"
        label="Least liquidity, in coins"
        placeholder="any"
        value=""
        problem={problemId}
        isWrong={problem !== ''}
      />
      <ChainSelect chains={chains} none="All chains" />
      <div className="field">
        <label htmlFor={levelId}>Verdict</label>
        <select id={levelId} name="level">
          <option value="">All</option>
          {LEVELS.map((level) => (
            <option key={level}>{level}</option>
          ))}
        </select>
      </div>
      <button type="submit" className="button primary">
        Show
      </button>
      <p id={problemId} className="problem" role="alert">
        {problem}
      </p>
    </form>
  )
}

/** What is said in the place of a verdict. */
const STATES: Readonly<Record<Listing['state'], string>> = {
  waiting: 'Being judged …',
  judged: '',
  unjudged: 'Could not be judged',
  undone: 'Its block was undone',
}

function ListingRow({ listing }: { listing: Listing }) {
  const { address, chainId, exchange, state, verdict, liquidity, block, blockTime, judgedAt, isKnownCode } = listing
  const { coin } = useChain(String(chainId))
  return (
    <li>
      <div className="watch-name">
        <Token of={address} chainId={chainId} token={verdict?.token} />
        {verdict === null ? <span className="quiet">{STATES[state]}</span> : <Level judgement={verdict} />}
      </div>
      {verdict !== null && <p>{verdict.headline}</p>}
      <p className="quiet">
        {exchange} · {chainId === 'SOL' ? 'slot' : 'block'} {block.number} · {formatTime(blockTime)}
        {judgedAt !== null &&
          (liquidity === null ? ' · nothing to buy yet' : ` · ${formatCoins(BigInt(liquidity))} ${coin}`)}
        {isKnownCode && ' · its family was judged before'}
      </p>
    </li>
  )
}

const textOf = ({ chainId, fromBlock, toBlock, listings }: Omission): string => {
  const [blocks, what] = chainId === 'SOL' ? ['Slots', 'transactions'] : ['Blocks', 'new tokens']
  return `${blocks} ${fromBlock} to ${toBlock}: ${listings === null ? 'not looked at' : `${listings} more ${what}`}`
}
