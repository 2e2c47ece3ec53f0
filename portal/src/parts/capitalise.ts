/** With a capital at the beginning of the text. */
export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
