/** The instants that the specification names, counted from the judged slot. */
export const SOLANA_WINDOWS = [
  { label: 'Immediate', afterSeconds: 0 },
  { label: '24 Hours', afterSeconds: 86_400 },
  { label: '7 Days', afterSeconds: 7 * 86_400 },
] as const

export type WindowLabel = (typeof SOLANA_WINDOWS)[number]['label']
