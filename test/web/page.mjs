// I-248, O-011, O-012, O-013. The page in a real browser, before real lives: it shows them, nobody else is answered, nothing a stranger
// wrote does harm, and its owner raises, tops up, kills and succeeds with a wallet of his own.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { open } from './browser.mjs'
import { HOSTILE, Town } from './town.mjs'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
// Long, because the Rust tests run beside it.
const PATIENCE = 60_000
const shots = process.env.BARDO_SHOTS
if (shots) mkdirSync(shots, { recursive: true })

/** Every page with words that only its data can bring. */
const PAGES = [
  ['fleet', '#/', ['ada-1', '† ada', 'ahead of holding']],
  ['life', '#/golem/ada-1/life', ['agent 1 on chain', 'Why it last decided', 'landed', 'is born|Curator|bought']],
  ['why', '#/golem/ada-1/why/40', ['At tick 40']],
  ['market', '#/golem/ada/market', ['Bloodstains', 'owner kill', 'sideways']],
  ['rules', '#/golem/ada-1/rules', ['dip', 'deviations below its mean', 'trial', 'was staged']],
  ['claims', '#/golem/ada/claims', ['said against came', 'price move']],
  ['grimoire', '#/golem/ada/grimoire', ['entries', 'held', 'active|candidate']],
  ['dreams', '#/golem/ada/dreams', ['urgency', 'not replayed yet', 'It has not dreamt yet']],
  ['mind', '#/golem/ada-1/mind', ['pleasure', 'What presses on it', 'risk']],
  ['clade', '#/golem/ada-1/clade', ['siblings in reach', 'In the air', 'dead', 'last heard']],
  ['line', '#/golem/ada-1/line', ['Lineage', 'owner kill', 'its testament', 'generation 1', 'prove it']],
  ['costs', '#/golem/ada/costs', ['given to live on', 'pool fees', 'Where it went']],
  ['chain', '#/golem/ada-1/chain', ['local L2', 'lineage registry', 'Beat|Swapped|Booked', 'As the registries say it', 'ada-1']],
  ['owner', '#/golem/ada-1/owner', ['Your wallet', 'End its life', 'Let successors be born by a mandate']],
  ['successor', '#/golem/ada/owner', ['Your wallet', 'Raise its successor']],
]

// The size of a window makes the layout and the scheme its colours; two looks have each once, and the deep run every pair.
const ALL_LOOKS = [
  { name: 'desktop-dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { name: 'desktop-light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2, colorScheme: 'dark' },
  { name: 'phone-light', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2, colorScheme: 'light' },
]
const LOOKS = process.env.BARDO_DEEP ? ALL_LOOKS : [ALL_LOOKS[0], ALL_LOOKS[3]]

/** A short life dreams of nothing; somebody's dreams are shown in its place where every word is hostile. */
const DREAMT = {
  dreams: [{ cycle: 'c', tick: 9, tier: 't', trigger: 'owner', engine: 'rules', ending: 'whole', replayed: 1, hypotheses: 1, threats: 2, cost_usdc_micros: 5,
    entry: { hypotheses: [{ source: 'creative', description: 'a rule', rationale: 'a reason', failure_conditions: 'an end', minimum_test: 'a proof' }] } }],
}

const begun = Date.now()
const note = (words) => console.log(`${((Date.now() - begun) / 1000).toFixed(1).padStart(5)} s  ${words}`)

const browser = await open()
const town = new Town()
// What fails outside of the story takes its children with it too.
process.on('uncaughtException', (error) => {
  console.error(error)
  town.down()
  process.exit(1)
})
try {
  town.live()
  note('two lives of a line were lived')
  const server = await town.serve()
  await guards(server)
  note('o_011: a foreign origin, another host and a missing token are refused')
  for (const look of LOOKS) await looks(server, look)
  note(`o_011: ${PAGES.length} pages in ${LOOKS.length} looks, no serious finding, no sideways scroll`)
  await keyboard(server)
  note('o_011: by keyboard alone from the address to a page of a Golem')
  await hostile(server)
  note('o_011: every word of every answer was hostile and did nothing')
  await owner(server)
  await raising(server)
  await takeover(server)
  await browser.close()
  note('done')
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  town.down()
  process.exit()
}

/** A person's browser: nothing leaves this machine, and nothing is complained of. */
async function visit(server, look, bad) {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce', ...look })
  context.setDefaultTimeout(PATIENCE)
  await context.route('**/*', (route) => {
    const url = route.request().url()
    if (url.startsWith(server.origin) || url.startsWith('data:')) return route.continue()
    bad.push(`a request to ${url}`)
    return route.abort()
  })
  const page = await context.newPage()
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && bad.push(message.text()))
  page.on('pageerror', (error) => bad.push(error.message))
  page.on('dialog', (dialog) => bad.push(`a dialog: ${dialog.message()}`))
  return { context, page }
}

/** Closes it. Whatever is still on its way to a page that closes is nobody's any more. */
async function leave(context) {
  for (const one of [context, ...context.pages()]) await one.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
}

/** Waits until a page says what only its data can say. */
async function says(page, words) {
  await page.waitForFunction((all) => {
    const text = document.querySelector('main')?.innerText ?? ''
    return document.querySelector('.waiting') === null && all.every((one) => new RegExp(one).test(text))
  }, words).catch(async (error) => {
    const text = await page.evaluate(() => document.querySelector('main')?.innerText ?? '')
    throw new Error(`${page.url()} does not say all of ${words.join(', ')}:\n${text.slice(0, 1500)}`, { cause: error })
  })
}

async function guards(server) {
  const { port } = new URL(server.origin)
  const ask = (headers, path = '/api/fleet', method = 'GET') => new Promise((answered, failed) => {
    request({ host: '127.0.0.1', port, path, method, headers }, (answer) => { answer.resume(); answered(answer.statusCode) }).on('error', failed).end()
  })
  const authorization = `Bearer ${server.token}`
  assert.equal(await ask({ authorization }), 200)
  assert.equal(await ask({ authorization, origin: 'https://evil.example' }), 403)
  assert.equal(await ask({ authorization, 'sec-fetch-site': 'cross-site' }), 403)
  assert.equal(await ask({ authorization, host: `evil.example:${port}` }), 421)
  assert.equal(await ask({}), 401)
  assert.equal(await ask({}, '/api/golems/ada-1/acts', 'POST'), 401)
  assert.equal(await ask({ authorization, origin: 'null' }, '/api/golems/ada-1/acts', 'POST'), 403)
}

async function looks(server, look) {
  const bad = []
  const { context, page } = await visit(server, look, bad)
  await page.goto(server.address)
  await says(page, PAGES[0][2])
  assert.equal(new URL(page.url()).hash, '#/', 'the token is gone from the address')
  await page.evaluate(AXE)
  for (const [name, path, words] of PAGES) {
    await page.evaluate((to) => { location.hash = to }, path)
    await says(page, words)
    if ((await page.locator('.chart').count()) > 0) await page.locator('.chart canvas').first().waitFor()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} scrolls sideways in ${look.name}`)
    if (shots) await page.screenshot({ path: join(shots, `${name}-${look.name}.png`), fullPage: true })
    const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
    const found = await page.evaluate(async (runOnly) => {
      const { violations } = await window.axe.run(document, { runOnly, resultTypes: ['violations'] })
      return violations.filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 160)}`)
    }, rules)
    assert.deepEqual(found, [], `${name} in ${look.name}`)
  }
  assert.equal(await page.evaluate(() => window.harmed), undefined)
  assert.deepEqual(bad, [], look.name)
  await leave(context)
}

async function keyboard(server) {
  const bad = []
  const { context, page } = await visit(server, { viewport: { width: 1280, height: 900 } }, bad)
  await page.goto(server.address)
  await says(page, ['ada-1'])
  const press = async (key, until) => {
    for (let times = 0; times < 60; times++) {
      await page.keyboard.press(key)
      const text = await page.evaluate(() => document.activeElement?.textContent ?? '')
      if (until(text)) return
    }
    assert.fail('the keyboard never came there')
  }
  await press('Tab', (text) => text.includes('† ada'))
  await page.keyboard.press('Enter')
  await says(page, ['Its line', 'its testament'])
  await press('Tab', (text) => text === 'Grimoire')
  await page.keyboard.press('Enter')
  await says(page, ['Look for something'])
  await page.getByLabel('words').focus()
  await page.keyboard.type('held')
  await page.keyboard.press('Enter')
  await says(page, ['answers'])
  await press('Tab', (text) => / held \d+ of \d+ times/.test(text) && text.length < 200)
  await page.keyboard.press('Enter')
  await says(page, ['Episodes behind it'])
  assert.deepEqual(bad, [])
  await leave(context)
}

/** Every text of every answer is made hostile on its way: names, reasons, insights, testaments, symbols, all of them. */
async function hostile(server) {
  const bad = []
  const { context, page } = await visit(server, { viewport: { width: 1280, height: 900 } }, bad)
  const spoil = (value) => {
    if (typeof value === 'string') return /^(0x[0-9a-f]*|\d+|\d{4}-.*)$/i.test(value) ? value : value + HOSTILE
    if (Array.isArray(value)) return value.map(spoil)
    if (value !== null && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, spoil(inner)]))
    return value
  }
  let spoilt = 0
  await page.route('**/api/**', async (route) => {
    if (route.request().url().includes('/api/stream')) return route.continue()
    const answer = await route.fetch()
    spoilt++
    const told = await answer.json()
    if (route.request().url().endsWith('/dreams')) Object.assign(told, DREAMT)
    // And somebody dead left everything it knows.
    if (route.request().url().includes('/grimoire')) told.entries?.forEach((entry) => { entry.bloodstain = true })
    return route.fulfill({ response: answer, json: spoil(told) })
  })
  await page.goto(server.address)
  await says(page, ['onerror'])
  for (const [, path] of PAGES) {
    await page.evaluate((to) => { location.hash = to }, path)
    await says(page, ['onerror'])
    if (path.endsWith('/grimoire')) assert.equal(await page.locator('.entry').first().evaluate((entry) => getComputedStyle(entry).borderTopStyle), 'dashed', 'I-248')
    for (const summary of await page.locator('summary').all()) await summary.click()
  }
  assert.ok(spoilt > PAGES.length, `${spoilt} answers`)
  assert.equal(await page.evaluate(() => window.harmed), undefined)
  assert.equal(await page.locator('img[src="x"], main script, svg[onload]').count(), 0)
  assert.deepEqual(bad, [])
  await leave(context)
}

/** A wallet that makes itself known (EIP-6963) and signs outside of the page. */
async function wallet(context, from) {
  await town.rpc('anvil_impersonateAccount', from)
  const chainId = await town.rpc('eth_chainId')
  await context.exposeFunction('signOutside', (method, params) => {
    if (method === 'eth_sendTransaction') return town.rpc('eth_sendTransaction', params[0])
    return { eth_requestAccounts: [from], eth_chainId: chainId }[method]
  })
  await context.addInitScript((name) => {
    const provider = { request: ({ method, params }) => window.signOutside(method, params ?? []) }
    const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name, icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>', rdns: 'test.wallet' }
    const detail = Object.freeze({ info, provider })
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }, `Test wallet ${HOSTILE}`)
}

async function owner(server) {
  const bad = []
  const { context, page } = await visit(server, { viewport: { width: 1280, height: 900 } }, bad)
  await wallet(context, town.account('owner'))
  const told = async (what) => (await fetch(`${server.origin}/api/golems/ada-1/${what}`, { headers: { authorization: `Bearer ${server.token}` } })).json()
  const credits = async () => Object.values((await told('chain')).status.credits_usdc_micros).reduce((all, one) => all + one, 0)
  const tick = () => page.evaluate(() => Number(/tick ([\d,]+)/.exec(document.querySelector('.who')?.textContent ?? '')?.[1]?.replace(/,/g, '') ?? 0))
  const reaches = (least) => page.waitForFunction((wanted) => Number(/tick ([\d,]+)/.exec(document.querySelector('.who')?.textContent ?? '')?.[1]?.replace(/,/g, '') ?? 0) >= wanted, least)

  let life = town.run('ada-1')
  await page.goto(server.address)
  await says(page, ['ada-1'])
  await page.evaluate(() => { location.hash = '#/golem/ada-1/owner' })
  await says(page, ['Your wallet'])
  await reaches(62)
  const stopped = new Promise((over) => life.once('exit', over))
  life.kill('SIGTERM')
  await stopped
  const before = await tick()
  // Slower from here on: what is to show within two ticks must not hang on how busy this machine is.
  life = town.run('ada-1', 30)
  await reaches(before + 2)
  note('o_011: the page follows a life, and goes on with it after its process was started again')

  await page.getByRole('button', { name: /Test wallet/ }).click()
  await page.getByText('Account 0x').waitFor()
  const had = await credits()
  await page.getByLabel('amount').first().fill('5')
  await page.getByRole('button', { name: 'prepare the top-up' }).click()
  await page.getByText('is given 5.00 USDC to live on').waitFor()
  await page.getByRole('button', { name: 'sign in your wallet' }).click()
  await page.getByText('It landed.').waitFor()
  assert.ok((await credits()) >= had + 4_900_000, 'the vault has what was given')
  note('o_011: a top-up from the wallet landed')

  await page.getByLabel('reason, for the record on chain').fill(`done ${HOSTILE}`)
  await page.getByRole('button', { name: 'prepare the kill' }).click()
  await page.getByText('nobody can undo it').waitFor()
  await page.getByRole('button', { name: 'sign in your wallet' }).click()
  await page.getByText('It landed.').waitFor()
  const landed = await tick()
  await page.waitForFunction(() => /dying|dead/.test(document.querySelector('.head')?.textContent ?? ''))
  const shown = await tick()
  assert.ok(shown <= landed + 2, `shown ${shown - landed} ticks after it landed`)
  await page.waitForFunction(() => /dead/.test(document.querySelector('.head')?.textContent ?? ''), undefined, { timeout: 30_000 })
  assert.equal((await told('chain')).status.life, 'dead')
  assert.equal(await page.evaluate(() => window.harmed), undefined)
  assert.deepEqual(bad, [])
  note('o_011: a kill from the wallet landed and shows')
  if (shots) await page.screenshot({ path: join(shots, 'killed.png'), fullPage: true })

  await page.evaluate(() => { location.hash = '#/golem/ada-1/line' })
  await says(page, ['prove it'])
  await page.getByRole('button', { name: /prove it/ }).click()
  await says(page, ['All \\d+ checks hold'])
  note('o_013: the line is proved from the page')
  await leave(context)
}

/** A Golem is born, topped up and killed from the page, and its successor raised there; the wallet sends everything. */
async function raising(server) {
  const bad = []
  const { context, page } = await visit(server, { viewport: { width: 1280, height: 900 } }, bad)
  await wallet(context, town.account('owner'))
  const told = async (what) => (await fetch(`${server.origin}/api/golems/${what}`, { headers: { authorization: `Bearer ${server.token}` } })).json()
  const choose = async () => {
    await page.getByRole('button', { name: /Test wallet/ }).click()
    await page.getByText('Account 0x').waitFor()
  }
  const snap = (name) => (shots ? page.screenshot({ path: join(shots, `${name}.png`), fullPage: true }) : undefined)
  await page.goto(server.address)
  await says(page, ['ada-1'])
  await page.getByRole('link', { name: 'Raise a Golem' }).click()
  await choose()
  await page.getByLabel('name', { exact: true }).fill('bea')
  await page.getByLabel('USDC to live on').fill('40')
  await page.getByLabel('USDC to trade with').fill('500')

  // A book of his own: a mistake is told with its line before anything is signed.
  await page.getByLabel('rules it is founded on').selectOption('own')
  await page.getByLabel('the book').fill(town.book('-1.35').replace('- when', '- whence'))
  await page.getByRole('button', { name: 'prepare the birth' }).click()
  await page.getByRole('alert').getByText('what you wrote is no book').waitFor()
  assert.match(bad.pop() ?? '', /422/, 'the browser complains of a refusal by itself')
  await snap('no-book')
  await page.getByLabel('or take it from a file').setInputFiles({ name: 'mine.md', mimeType: 'text/markdown', buffer: Buffer.from(town.book('-1.35')) })
  await page.waitForFunction(() => document.querySelector('.book textarea')?.value.includes('- when: z(32) <= -1.35'))

  // Who looks at it again does not sign; nothing of it was sent, and the same is begun anew.
  await page.getByRole('button', { name: 'prepare the birth' }).click()
  await page.getByRole('button', { name: 'sign in your wallet' }).waitFor()
  await says(page, ['the approval of USDC', 'approve', 'value\\s+540000000'])
  await snap('birth')
  await page.getByRole('button', { name: 'put it aside' }).click()
  await page.getByText('put it aside').waitFor()
  await page.getByRole('button', { name: 'prepare the birth' }).click()
  await page.getByRole('button', { name: 'sign in your wallet' }).click()
  await page.getByText('It is done.').waitFor({ timeout: 60_000 })
  await snap('born')
  const credits = async () => Object.values((await told('bea/chain')).status.credits_usdc_micros).reduce((all, one) => all + one, 0)
  assert.equal((await told('bea/chain')).status.life, 'alive')
  const had = await credits()
  assert.equal(readFileSync(join(town.dir, '.bardo/golems/bea/founding.md'), 'utf8'), town.book('-1.35'))
  note('o_011: a Golem was born from the page, founded on a book that was brought there')

  await page.getByRole('link', { name: 'bea' }).click()
  await says(page, ['agent 2 on chain'])
  await page.getByRole('link', { name: 'Owner' }).click()
  await says(page, ['End its life'])
  await page.getByLabel('amount').first().fill('3')
  await page.getByRole('button', { name: 'prepare the top-up' }).click()
  await page.getByRole('button', { name: 'sign in your wallet' }).click()
  await page.getByText('It landed.').waitFor()
  assert.ok((await credits()) >= had + 2_900_000, 'the vault has what was given')
  note('o_011: it was topped up from the page')

  await page.getByRole('button', { name: 'prepare the new key' }).click()
  const before = (await told('bea/chain')).status.key
  await page.getByRole('button', { name: 'sign in your wallet' }).last().click()
  await page.getByText('It is done.').waitFor({ timeout: 60_000 })
  assert.notEqual((await told('bea/chain')).status.key, before)
  note('o_011: it has a new key from the page')

  await page.getByLabel('who may bring the birth about').fill(town.account('guardian'))
  await page.getByRole('button', { name: 'prepare the mandate' }).click()
  await page.getByText('a mandate for 1 of the line of bea').waitFor()
  await page.getByRole('button', { name: 'sign in your wallet' }).last().click()
  await page.getByText('It is done.').waitFor({ timeout: 60_000 })
  assert.equal(JSON.parse(town.bardo('line', 'mandate', 'list', '--json')).length, 1)
  note('o_011: a mandate stands from the page')

  await page.getByLabel('reason, for the record on chain').fill('a shorter life')
  await page.getByRole('button', { name: 'prepare the kill' }).click()
  await page.getByText('nobody can undo it').waitFor()
  await page.getByRole('button', { name: 'sign in your wallet' }).first().click()
  await page.getByText('It landed.').waitFor()
  town.bardo('golem', 'run', 'bea', '--speed', '1000000', '--json')
  await says(page, ['Raise its successor'])
  await page.getByLabel('USDC to live on').fill('30')
  await page.getByLabel('USDC to trade with').fill('200')
  await page.getByRole('button', { name: 'prepare the successor' }).click()
  await page.getByRole('alert').waitFor({ timeout: 60_000 })
  await snap('stillborn')
  await page.getByLabel('rules it is founded on').selectOption('momentum')
  await page.getByRole('button', { name: 'prepare the successor' }).click()
  await page.getByRole('button', { name: 'sign in your wallet' }).click({ timeout: 60_000 })
  await page.getByText('It is done.').waitFor({ timeout: 60_000 })
  await snap('succeeded')
  const family = await told('bea-1/lineage')
  assert.deepEqual(family.members.map((one) => [one.name, one.generation]), [['bea', 0], ['bea-1', 1]])
  assert.equal(await page.evaluate(() => window.harmed), undefined)
  assert.deepEqual(bad, [])
  note('o_011: its successor was raised from the page')

  await page.getByRole('link', { name: 'bea-1' }).click()
  await page.getByRole('link', { name: 'Owner' }).click()
  // What the key signs for it is good for four minutes of chain time, and here blocks of forty seconds come while a wallet waits.
  for (let tries = 0; tries < 5; tries++) {
    await page.getByRole('button', { name: 'prepare the link' }).click()
    await page.getByText('bea-1 is linked with its key').waitFor()
    await page.getByRole('button', { name: 'sign in your wallet' }).last().click()
    await page.getByText('It is done.').or(page.getByText('Expired')).waitFor({ timeout: 60_000 })
    if (await page.getByText('It is done.').isVisible()) break
  }
  assert.equal(JSON.parse(town.bardo('owner', 'wallet', 'bea-1', '--json')).linked, true)
  note('o_011: its identity is linked with its key from the page')
  assert.deepEqual(bad, [])
  await leave(context)
}

/** A Golem that was sold is taken over by whoever bought it. */
async function takeover(server) {
  const bad = []
  const { context, page } = await visit(server, { viewport: { width: 1280, height: 900 } }, bad)
  const [seller, buyer] = [town.account('owner'), town.account('stranger 1')]
  const told = async () => (await (await fetch(`${server.origin}/api/golems/bea-1/chain`, { headers: { authorization: `Bearer ${server.token}` } })).json()).status
  const before = await told()
  const word = (value) => BigInt(value).toString(16).padStart(64, '0')
  await town.rpc('eth_sendTransaction', { from: seller, to: town.about.chain.world.suite.identity_registry, data: `0x23b872dd${word(seller)}${word(buyer)}${word(JSON.parse(town.bardo('owner', 'wallet', 'bea-1', '--json')).agent)}` })
  await wallet(context, buyer)
  await page.goto(server.address)
  await says(page, ['bea-1'])
  await page.evaluate(() => { location.hash = '#/golem/bea-1/owner' })
  await page.getByRole('button', { name: /Test wallet/ }).click()
  await page.getByText('Account 0x').waitFor()
  await page.getByRole('button', { name: 'prepare the takeover' }).click()
  await page.getByText('bea-1 is taken over').waitFor()
  await page.getByRole('button', { name: 'sign in your wallet' }).last().click()
  await page.getByText('It is done.').waitFor({ timeout: 60_000 })
  const after = await told()
  assert.equal(after.owner.toLowerCase(), buyer.toLowerCase())
  assert.notEqual(after.key, before.key)
  assert.deepEqual(bad, [])
  note('o_011: who bought it takes it over from the page, with a fresh key')
  await leave(context)
}
