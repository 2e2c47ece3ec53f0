import type { SolanaAddress } from '../../solana/address.js'
import type { Multisig } from '../../solana/authority.js'
import type { Squad } from '../../solana/groups/squads.js'

/** What is known of those behind an address that a program acts as. */
export interface GroupStanding {
  /**
   * `group`: at least two persons must agree. `wallet`: one is enough. `program`: who they are is
   * not known.
   */
  kind: 'group' | 'wallet' | 'program'
  /** The program that counts them. */
  through: string
  threshold: { required: number; of: number }
  members: SolanaAddress[]
  delaySeconds: number
  /** The program makes tokens for what is put in, and for nothing else. */
  mintsByRule?: true
}

/** Who can sign in the name of a member. */
export type Signer =
  | { kind: 'person'; key: SolanaAddress }
  | { kind: 'multisig'; required: number; voters: Signer[]; manager: Signer | undefined }
  /** Two persons at least must agree, by rules that are not counted here. */
  | { kind: 'several' }
  /**
   * An address of a program, which signs for any of the others as far as we know. `isTold`: some
   * transaction shows it beside a program.
   */
  | { kind: 'unknown'; isTold: boolean }

/** What stands behind a multisig, as its members are: `as` is the multisig as one of them. */
export function standingOfSquad({ name, threshold: required, voters, delaySeconds }: Squad, as: Signer): GroupStanding {
  return {
    kind: kindOf(as),
    through: name,
    threshold: { required, of: voters.length },
    members: voters.slice(0, MAX_MEMBERS),
    delaySeconds,
  }
}

/** The same of a multisig of the token programs, whose members may be addresses of programs. */
export function standingOfMultisig({ members, threshold }: Multisig, voters: Signer[]): GroupStanding {
  const as: Signer = { kind: 'multisig', required: threshold.required, voters, manager: undefined }
  const through = 'the token program'
  return { kind: kindOf(as), through, threshold, members: members.slice(0, MAX_MEMBERS), delaySeconds: 0 }
}

/** As many as a report tells. */
export const MAX_MEMBERS = 24

/**
 * One person who can act alone, through however many multisigs, is a wallet; so is one vote that
 * an address of a program gives. Where addresses of programs can act without any person, it is not
 * known who does.
 */
function kindOf(signer: Signer): GroupStanding['kind'] {
  const alone = personsIn(signer).some((person) => canAct(signer, person, false))
  if (alone || isLoneUnknown(signer)) return 'wallet'
  return canAct(signer, undefined, true) ? 'program' : 'group'
}

/** `unknownManagers`: whether managers that are not known act for this person as well. */
function canAct(signer: Signer, person: SolanaAddress | undefined, unknownManagers: boolean): boolean {
  if (signer.kind !== 'multisig')
    return signer.kind === 'unknown' || (signer.kind === 'person' && signer.key === person)
  const { required, voters, manager } = signer
  const isManaged = manager !== undefined && (unknownManagers || manager.kind !== 'unknown')
  if (isManaged && canAct(manager, person, unknownManagers)) return true
  // Of a key that is named twice two votes may be counted.
  return voters.filter((each) => canAct(each, person, unknownManagers)).length >= leastOf(required, voters)
}

const leastOf = (required: number, voters: readonly Signer[]) => Math.max(1, Math.min(required, voters.length))

/** Each once: a person may sit in many. */
function personsIn(signer: Signer): SolanaAddress[] {
  if (signer.kind === 'person') return [signer.key]
  if (signer.kind !== 'multisig') return []
  const behind = [...signer.voters, ...(signer.manager ? [signer.manager] : [])].flatMap(personsIn)
  return [...new Set(behind)]
}

const isLoneUnknown = (signer: Signer) =>
  signer.kind === 'multisig' &&
  leastOf(signer.required, signer.voters) === 1 &&
  signer.voters.some(({ kind }) => kind === 'unknown')
