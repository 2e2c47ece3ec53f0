/** The package's typings are not found under Node's resolution. Only what is used here. */
declare module 'evmole' {
  export function contractInfo(
    code: string,
    options: { selectors?: boolean; arguments?: boolean; stateMutability?: boolean },
  ): { functions?: { selector: string; arguments?: string; stateMutability?: string }[] }
}
