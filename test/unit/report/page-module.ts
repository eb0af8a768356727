/** A module of the page, which is plain JavaScript without types: the caller says what it exports. */
export async function pageModule<Exports>(name: string): Promise<Exports> {
  return (await import(new URL(`../../../src/report/page/${name}`, import.meta.url).href)) as Exports
}
