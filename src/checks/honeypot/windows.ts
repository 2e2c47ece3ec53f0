/** The instants that the specification names, counted from the judged block. */
export const WINDOWS = [
  { label: 'Immediate', afterMs: 0 },
  { label: '24 Hours', afterMs: 24 * 3_600_000 },
  { label: '7 Days', afterMs: 7 * 24 * 3_600_000 },
] as const

export type WindowLabel = (typeof WINDOWS)[number]['label']
