// What takes several transactions: the server runs the command of that name, and the wallet is handed one after the other.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { get, post } from '../api'
import { ether, short } from '../format'
import { heard, to } from '../state'
import type { Undertaking } from '../types'
import { Card, Empty, Words } from '../ui'
import { account, held, send, stand, wallets, words } from '../wallet'
import { Decoded } from './chain'

export type UndertakingWanted =
  | { undertaking: 'birth'; name: string; credits: string; capital: string; playbook: string; book: string }
  | { undertaking: 'successor'; golem: string; credits: string; capital: string; playbook: string; book: string; inherit: boolean }
  | { undertaking: 'mandate'; golem: string; budget: string; successors: number; days: number; executor: string; escrow: string }
  | { undertaking: 'rotate_key' | 'link'; golem: string }
  | { undertaking: 'accept'; golem: string; keep_lists: boolean }

const BOOKS = ['mean-reversion', 'momentum', 'range-liquidity']

export function WalletCard(props: { owner: string | null }): JSX.Element {
  const [trouble, complain] = useState('')
  const chosen = held.value
  return (
    <Card wide title="Your wallet" note="it signs; this page and its server hold no key of yours">
      {wallets.value.length === 0 ? <Empty>No wallet has made itself known in this browser. With one (any that speaks EIP-6963) you sign here; without, use <code>bardo golem create</code>, <code>fund</code> and <code>kill</code>.</Empty> : (
        <div class="wallets">{wallets.value.map((wallet) => (
          <button type="button" key={wallet.info.uuid} aria-pressed={chosen?.wallet.info.uuid === wallet.info.uuid} onClick={() => { complain(''); account(wallet).then((from) => { held.value = { wallet, from } }, (error: unknown) => complain(words(error))) }}>
            {/^data:image\//.test(wallet.info.icon) && <img src={wallet.info.icon} alt="" />}<Words>{wallet.info.name}</Words>
          </button>
        ))}</div>
      )}
      {chosen !== null && <p>Account <span class="mono">{chosen.from}</span>{props.owner !== null && chosen.from.toLowerCase() !== props.owner.toLowerCase() && <span class="note"> is not who owned it at birth ({short(props.owner)}): anybody may top up, only its owner may do the rest.</span>}</p>}
      {trouble !== '' && <p class="trouble" role="alert"><Words>{trouble}</Words></p>}
    </Card>
  )
}

/** Begins an undertaking, shows each of its transactions, and hands them to the wallet. */
export function Steps(props: { wanted: UndertakingWanted | null }): JSX.Element | null {
  const { wanted } = props
  const [told, tell] = useState<Undertaking | null>(null)
  const [trouble, complain] = useState('')
  const [isGoing, go] = useState(false)
  const [isAsking, ask] = useState(false)
  const chosen = held.value

  // What was begun before this page was opened anew is gone on with.
  useEffect(() => {
    if (wanted === null) get<Undertaking | null>('undertaking').then((open) => open !== null && !open.over && tell(open), () => undefined)
    else if (chosen !== null) {
      complain('')
      go(false)
      post<Undertaking>('undertaking', { ...wanted, from: chosen.from }).then(tell, (error: unknown) => complain(words(error)))
    }
  }, [wanted])

  const isOver = told === null || told.over
  useEffect(() => {
    if (isOver) return
    const look = setInterval(() => {
      get<Undertaking | null>('undertaking').then((now) => {
        if (now === null) return
        tell(now)
        if (now.over) heard.value++
      }, () => undefined)
    }, 500)
    return () => clearInterval(look)
  }, [isOver, told?.number])

  const hand = async (undertaking: Undertaking): Promise<void> => {
    if (undertaking.wants === null || undertaking.chain_id === null || chosen === null) return
    ask(true)
    complain('')
    try {
      await stand(chosen.wallet, undertaking.chain_id)
      const sent = await send(chosen.wallet, undertaking.from, undertaking.wants)
      tell(await post<Undertaking>(`undertaking/${undertaking.number}`, { sent }))
    } catch (error) {
      complain(words(error))
      go(false)
    }
    ask(false)
  }
  const waits = told !== null && !told.over && told.wants !== null
  // The wallet asks for every transaction by itself; the page asks for the first.
  useEffect(() => {
    if (isGoing && waits && !isAsking && told !== null) void hand(told)
  }, [isGoing, waits, isAsking])

  const aside = (undertaking: Undertaking): void => {
    post<Undertaking>(`undertaking/${undertaking.number}`, { refused: 'its owner put it aside' }).then(tell, (error: unknown) => complain(words(error)))
  }
  if (told === null && trouble === '') return wanted === null ? null : <p class="note" role="status">The contracts are asked whether they would take it.</p>
  return (
    <div class="acts" role="group" aria-label="what your wallet will sign">
      {told !== null && (
        <>
          <p><b><Words>{told.says}</Words></b></p>
          {told.notes.length > 0 && <ul class="notes" aria-label="what was done so far" tabIndex={0}>{told.notes.map((note, at) => <li key={at}><Words>{note}</Words></li>)}</ul>}
          {waits && told.wants !== null && (
            <>
              <p><b>{told.wants.act}</b> <span class="note">to <span class="mono">{short(told.wants.to)}</span>{told.wants.value_wei !== '0' && `, with ${ether(told.wants.value_wei)}`}, on chain {told.chain_id}</span></p>
              {told.wants.call !== null && <><p class="mono">{told.wants.call.name}</p><Decoded said={told.wants.call} /></>}
              {chosen === null ? <p class="note">Choose your wallet.</p> : (
                <div class="wallets">
                  <button type="button" class="main" disabled={isAsking} onClick={() => { go(true) }}>{isAsking ? 'waiting for your wallet' : 'sign in your wallet'}</button>
                  <button type="button" disabled={isAsking} onClick={() => aside(told)}>put it aside</button>
                </div>
              )}
            </>
          )}
          {!told.over && !waits && <p class="note" role="status">Waiting for the chain.</p>}
          {told.over && told.error === null && <p class="ok" role="status">It is done.{told.golem !== null && <> <a href={to('golem', told.golem, 'life')}><Words>{told.golem}</Words></a></>}</p>}
          {told.error !== null && <p class="trouble" role="alert"><Words>{told.error}</Words></p>}
        </>
      )}
      {trouble !== '' && <p class="trouble" role="alert"><Words>{trouble}</Words></p>}
    </div>
  )
}

const OWN = 'own'
const BLANK = `# My book

### dip
- when: z(64) <= -2
- do: hold 50%
- until: z(64) >= 0
- expects: +0.6% within 64
- because: what fell far and fast tends to come back
`

/** A book by its name, or written here. */
interface Founding { name: string; text: string }
const said = ({ name, text }: Founding): { playbook: string; book: string } => (name === OWN ? { playbook: '', book: text } : { playbook: name, book: '' })

const Book = (props: { value: Founding; set: (book: Founding) => void; old?: boolean }): JSX.Element => {
  const { value, set } = props
  return (
    <>
      <label>rules it is founded on
        <select value={value.name} onChange={(event) => set({ ...value, name: event.currentTarget.value })}>
          {props.old === true && <option value="">as its predecessor</option>}
          {BOOKS.map((name) => <option key={name} value={name}>{name}</option>)}
          <option value={OWN}>a book of my own</option>
        </select>
      </label>
      {value.name === OWN && (
        <div class="book">
          <label>the book<textarea rows={12} spellcheck={false} required value={value.text} onInput={(event) => set({ ...value, text: event.currentTarget.value })} /></label>
          <label>or take it from a file<input type="file" accept=".md,text/markdown,text/plain" onChange={(event) => { void event.currentTarget.files?.[0]?.text().then((text) => set({ name: OWN, text })) }} /></label>
          <p class="note">What a rule may say, and how it earns the right to move money, is in docs/playbook.md. A mistake is told with its line before anything is signed.</p>
        </div>
      )}
    </>
  )
}

const Money = (props: { label: string; value: string; set: (text: string) => void; empty?: string }): JSX.Element => (
  <label>{props.label}<input type="text" inputMode="decimal" placeholder={props.empty ?? ''} value={props.value} onInput={(event) => props.set(event.currentTarget.value)} /></label>
)

export function Raise(): JSX.Element {
  const [wanted, want] = useState<UndertakingWanted | null>(null)
  const [name, setName] = useState('')
  const [credits, setCredits] = useState('')
  const [capital, setCapital] = useState('0')
  const [book, setBook] = useState<Founding>({ name: 'mean-reversion', text: BLANK })
  return (
    <main id="main">
      <div class="head"><h1>Raise a Golem</h1></div>
      <div class="grid">
        <WalletCard owner={null} />
        <Card wide title="A new life" class="acts" note="its own key is made and sealed on this machine; your wallet pays and will own it">
          {held.value === null && <p class="note">Choose a wallet first.</p>}
          <form onSubmit={(event) => { event.preventDefault(); want({ undertaking: 'birth', name, credits, capital, ...said(book) }) }}>
            <fieldset disabled={held.value === null}><legend>What it is born with</legend>
              <label>name<input type="text" required pattern="[a-z0-9\-]+" title="lowercase letters, digits and hyphens" value={name} onInput={(event) => setName(event.currentTarget.value)} /></label>
              <Money label="USDC to live on" value={credits} set={setCredits} empty="what is recommended" />
              <Money label="USDC to trade with" value={capital} set={setCapital} />
              <Book value={book} set={setBook} />
              <div><button class="main" type="submit">prepare the birth</button></div>
            </fieldset>
          </form>
          <Steps wanted={wanted} />
        </Card>
      </div>
    </main>
  )
}

/** What can be done with a dead one: the next life of its line. */
export function Succeed({ golem }: { golem: string }): JSX.Element {
  const [wanted, want] = useState<UndertakingWanted | null>(null)
  const [credits, setCredits] = useState('')
  const [capital, setCapital] = useState('0')
  const [book, setBook] = useState<Founding>({ name: '', text: BLANK })
  const [inherit, setInherit] = useState(true)
  return (
    <>
      {held.value === null && <p class="note">Choose a wallet first.</p>}
      <form onSubmit={(event) => { event.preventDefault(); want({ undertaking: 'successor', golem, credits, capital, ...said(book), inherit }) }}>
        <fieldset disabled={held.value === null}><legend>Raise its successor</legend>
          <Money label="USDC to live on" value={credits} set={setCredits} empty="as its settings say" />
          <Money label="USDC to trade with" value={capital} set={setCapital} />
          <Book value={book} set={setBook} old />
          <label class="check"><input type="checkbox" checked={inherit} onChange={(event) => setInherit(event.currentTarget.checked)} />take over what it learnt, as candidates</label>
          <div><button class="main" type="submit">prepare the successor</button></div>
        </fieldset>
      </form>
      <Steps wanted={wanted} />
    </>
  )
}

/** The owner's handles that are needed seldom. */
export function Handles({ golem }: { golem: string }): JSX.Element {
  const [wanted, want] = useState<UndertakingWanted | null>(null)
  const [budget, setBudget] = useState('50')
  const [escrow, setEscrow] = useState('50')
  const [executor, setExecutor] = useState('')
  const [successors, setSuccessors] = useState('1')
  const [days, setDays] = useState('90')
  const [lists, setLists] = useState(false)
  const isIdle = held.value === null
  return (
    <>
      {isIdle && <p class="note">Choose a wallet first.</p>}
      <form onSubmit={(event) => { event.preventDefault(); want({ undertaking: 'mandate', golem, budget, successors: Number(successors), days: Number(days), executor: executor.trim(), escrow }) }}>
        <fieldset disabled={isIdle}><legend>Let successors be born by a mandate</legend>
          <Money label="credits of each, USDC" value={budget} set={setBudget} />
          <Money label="put aside now, USDC" value={escrow} set={setEscrow} />
          <label>successors<input type="number" min="1" max="100" value={successors} onInput={(event) => setSuccessors(event.currentTarget.value)} /></label>
          <label>days it stands<input type="number" min="1" max="3650" value={days} onInput={(event) => setDays(event.currentTarget.value)} /></label>
          <label>who may bring the birth about, an address<input type="text" required pattern="\s*0x[0-9a-fA-F]{40}\s*" title="0x and 40 hexadecimal digits" value={executor} onInput={(event) => setExecutor(event.currentTarget.value)} /></label>
          <div><button type="submit">prepare the mandate</button></div>
        </fieldset>
      </form>
      <form onSubmit={(event) => { event.preventDefault(); want({ undertaking: 'rotate_key', golem }) }}>
        <fieldset disabled={isIdle}><legend>Give it a new key</legend>
          <p class="note">The old one is powerless in the same block. A process that runs with it has to be started again.</p>
          <div><button type="submit">prepare the new key</button></div>
        </fieldset>
      </form>
      <form onSubmit={(event) => { event.preventDefault(); want({ undertaking: 'link', golem }) }}>
        <fieldset disabled={isIdle}><legend>Link its identity with its key</legend>
          <div><button type="submit">prepare the link</button></div>
        </fieldset>
      </form>
      <form onSubmit={(event) => { event.preventDefault(); want({ undertaking: 'accept', golem, keep_lists: lists }) }}>
        <fieldset disabled={isIdle}><legend>Take it over after buying it</legend>
          <p class="note">It gets a fresh key, no guardian and the default policy.</p>
          <label class="check"><input type="checkbox" checked={lists} onChange={(event) => setLists(event.currentTarget.checked)} />keep the former owner's payees, pools and tokens</label>
          <div><button type="submit">prepare the takeover</button></div>
        </fieldset>
      </form>
      <Steps wanted={wanted} />
    </>
  )
}
