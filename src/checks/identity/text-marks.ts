/**
 * What is odd about the text of a name. `hidden`: characters that are not seen, or turn the
 * direction. `cut`: longer than is shown.
 */
export type TextMark = 'hidden' | 'mixed-scripts' | 'cut'

/**
 * Control characters, and those that change the direction or hide parts of a line (Unicode classes
 * Cc, Cf, Co, Cs, Zl, Zp).
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u
const LATIN = /\p{Script=Latin}/u
/**
 * Scripts with letters that are drawn like Latin ones. Others beside Latin are how names are
 * written in much of the world.
 */
const LOOK_ALIKE_SCRIPTS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u
/** Joins two pictures into one (UTS 51): no trick where it stands between pictures. */
const JOINED_PICTURES = /\p{Extended_Pictographic}\uFE0F?(?:\u200D\p{Extended_Pictographic}\uFE0F?)+/gu

/** What is odd about a text of a contract, so that a person can be told before reading it. */
export function markText(text: string, maxLength: number): TextMark[] {
  const marks: TextMark[] = []
  if (HIDDEN.test(text.replace(JOINED_PICTURES, ''))) marks.push('hidden')
  if (text.split(/[^\p{L}]+/u).some((word) => LATIN.test(word) && LOOK_ALIKE_SCRIPTS.test(word)))
    marks.push('mixed-scripts')
  if ([...text].length > maxLength) marks.push('cut')
  return marks
}
