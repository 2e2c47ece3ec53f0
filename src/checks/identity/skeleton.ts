/** Longest name that is compared. */
const MAX_NAME = 64

/**
 * What a name looks like: small letters and digits, with letters of other scripts replaced by the
 * Latin ones that they are drawn like. Two names of one skeleton are hard to tell apart (Unicode TR
 * 39, confusables).
 */
export function skeletonOf(text: string): string {
  return [...text.slice(0, MAX_NAME).normalize('NFKD').toLowerCase()]
    .map((letter) => LOOK_ALIKES.get(letter) ?? letter)
    .filter((letter) => /[a-z0-9]/.test(letter))
    .join('')
}

const pairs = (letters: string, likeness: string) =>
  [...letters].map((letter, i) => [letter, [...likeness][i] ?? ''] as const)

/**
 * Cyrillic, Greek and Armenian letters, and digits, that are drawn like Latin ones: those that
 * names are copied with.
 */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ...pairs('аеорсухіјѕԁһӏԛԝьѵгктмнв', 'aeopcyxijsdhlqwbvrktmhb'),
  ...pairs('αοτνκρυιχεημβ', 'aotvkpuixenmb'),
  ...pairs('օսհոցգ', 'ouhngq'),
  ...pairs('ıłøđ', 'ilod'),
  // Small capitals of the phonetic alphabets; Cherokee; Lisu.
  ...pairs('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'),
  ...pairs('ᎠᎡᎢᎪᎫᎬᎳᎷᎻᏃᏏᏚᏟᏢᏦᎩᏙᏒᏞᏴ'.toLowerCase(), 'drtajewmhzbscpkyvrlb'),
  ...pairs('ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', 'bpdtgkjczfmnlsrvhwxyaeiou'),
  ['0', 'o'],
  ['1', 'l'],
  ['5', 's'],
  ['$', 's'],
])
