import { shorten } from '../format.js'

const ADDRESS = /(0x[0-9a-fA-F]{40})(?![0-9a-fA-F])/

/** A sentence of the service, with addresses as short as a person compares them; whole on hover. */
export function Prose({ text }: { text: string }) {
  return text.split(ADDRESS).map((part, i) =>
    ADDRESS.test(part) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the sentence never changes
      <span key={i} className="mono" title={part}>
        {shorten(part)}
      </span>
    ) : (
      part
    ),
  )
}
