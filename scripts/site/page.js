// The search of the documentation site, and the menu of a narrow screen. The index is loaded when search is first used.
const { root = '' } = document.documentElement.dataset
const box = document.querySelector('#search')
const results = document.querySelector('#results')
const OPTIONS = { fields: ['title', 'heading', 'text'], storeFields: ['title', 'heading', 'excerpt', 'href'] }
const HOW = { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, heading: 3 } }
let engine = null

function loadScript(name) {
  return new Promise((done, failed) => {
    const script = document.createElement('script')
    script.src = `${root}assets/${name}`
    script.addEventListener('load', done)
    script.addEventListener('error', failed)
    document.head.append(script)
  })
}

function load() {
  engine ??= Promise.all(['minisearch.js', 'search-index.js'].map(loadScript)).then(() =>
    globalThis.MiniSearch.loadJSON(globalThis.searchIndex, OPTIONS),
  )
  return engine
}

async function show() {
  const words = box.value.trim()
  const found = words === '' ? [] : (await load()).search(words, HOW).slice(0, 12)
  if (words !== box.value.trim()) return
  results.hidden = words === ''
  results.replaceChildren(...(found.length > 0 ? found.map(entry) : [empty()]))
}

function entry({ title, heading, excerpt, href }) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  const name = document.createElement('strong')
  const text = document.createElement('span')
  link.href = root + href
  name.textContent = heading === title ? title : `${title}: ${heading}`
  text.textContent = excerpt
  link.append(name, text)
  item.append(link)
  return item
}

function empty() {
  const item = document.createElement('li')
  item.textContent = 'Nothing found.'
  return item
}

box.addEventListener('focus', load, { once: true })
box.addEventListener('input', show)
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== box) {
    event.preventDefault()
    box.focus()
  } else if (event.key === 'Escape') {
    box.value = ''
    results.hidden = true
  }
})
results.addEventListener('click', () => {
  results.hidden = true
})
if (globalThis.matchMedia('(max-width: 60rem)').matches)
  document.querySelector('nav details').removeAttribute('open')
document.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
