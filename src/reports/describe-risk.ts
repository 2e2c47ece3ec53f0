/** Level and score in words. A score of what is not known would say that it is known. */
export function describeRisk({ advice, level, score }: { advice: string; level: string; score: number }): string {
  if (advice === 'Not known') return `counts as ${level} until it is known`
  return `${level}, ${Math.round(score)} of 100, 0 is best`
}
