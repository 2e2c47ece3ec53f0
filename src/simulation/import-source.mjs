/**
 * Where the tests have compiled this tree to, as a URL that ends in a slash (`test/compile.ts`):
 * a thread that loads that starts in a third of the time. Otherwise tsx compiles what is loaded.
 */
const compiled = process.env.ASSAY_TESTS_COMPILED
const root = new URL('../../', import.meta.url).href

if (!compiled) (await import('tsx/esm/api')).register()

const toLoad = (url) => (compiled ? compiled + url.slice(root.length).replace(/\.ts$/, '.js') : url)

/** The worker of this URL, which may be asked to load further modules of the source. */
export async function importWorker(url) {
  const { default: run } = await import(toLoad(url))
  return (request) => run({ ...request, module: toLoad(request.module) })
}
