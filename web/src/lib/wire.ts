// Written by tools/wire_types from the server's messages. Do not edit.

/** A command that is done and kept, and the number of its entry; the hash is of the state after it. */
export interface Ack {
  type: "ack";
  id: string;
  n: number;
  state_hash: string | null;
  game: string | null;
}

/** Agree, or not, that an action is taken back. */
export interface Answer {
  type: "answer";
  id: string;
  agree: boolean;
}

/** A board in small: the ground, its cities, and a line of a colour through the spaces of each route. */
export interface BoardPicture {
  size: [number, number];
  land: Land[];
  cities: Record<string, [number, number]>;
  lines: ([string, number[]])[];
}

/** A new game that goes on from a finished one, after so many of its actions. */
export interface Branch {
  after: number;
  seats: SeatWish[];
  options?: Options;
}

/** A city, and where it is drawn. */
export interface CityInfo {
  code: string;
  name: string;
  x: number;
  y: number;
  marks: string[];
}

/** Where a city's name is written: its lines, the foot of the first, and which end of it is there. */
export interface CityLabel {
  x: number;
  y: number;
  anchor: "end" | "middle" | "start";
  lines: string[];
  width: number;
}

/** Where a city lies, and where its name goes. */
export interface CityPlace {
  x: number;
  y: number;
  label: CityLabel;
}

/** A game that was dealt, with the links to its seats and the one to watch. */
export interface Created {
  game: string;
  seats: (string | null)[];
  watch: string;
  commitment: string;
}

/** An edition at a glance. `stops` are the cities that its tickets lead to, and how many do. */
export interface EditionCard {
  id: string;
  name: string;
  players: [number, number];
  minutes: [number, number];
  board: string;
  cities: number;
  tickets: number;
  stops: Record<string, number>;
}

/** All editions at a glance, and pictures of their boards by name. */
export interface EditionCards {
  editions: EditionCard[];
  boards: Record<string, BoardPicture>;
}

/** An edition in full: what a client needs to draw it and to say what moves mean. */
export interface EditionInfo {
  id: string;
  name: string;
  players: [number, number];
  minutes: [number, number];
  board: string;
  credits: string[];
  size: [number, number];
  colours: string[];
  pieces: number;
  face_up: number;
  route_points: number[];
  locomotive_word: string;
  piece_word: string;
  city_word: string;
  cities: CityInfo[];
  routes: RouteInfo[];
  tickets: TicketInfo[];
  moves: Record<string, MoveInfo>;
  rules: RulesInfo;
  layout: Layout;
  digest: string;
}

/** How a game ended: points by seat and term, everybody's tickets, and the seed, to be checked. */
export interface Ending {
  winners: number[];
  reason: string;
  tie_break: string;
  terms: string[];
  points: number[][];
  totals: number[];
  tickets: string[][];
  longest: string[][];
  seed: string;
}

/** Entries of a game's log, as far as their reader may know them. */
export interface Entries {
  entries: Told[];
  last: number;
}

/** One thing that happened. `details` holds what is known of it; None stands for what is hidden. */
export interface Event {
  kind: string;
  seat: number | null;
  details: Record<string, unknown>;
}

/** A moment of a replay: an action, what came of it, and everything as it stood then, nothing hidden. */
export interface Frame {
  n: number;
  seat: number | null;
  text: string | null;
  events: Event[];
  view: TableView;
  own: OwnView[];
}

/** What a game is, apart from how it stands. */
export interface GameInfo {
  game: string;
  edition: string;
  players: number;
  aids: boolean;
  clock: number | null;
  public: boolean;
  commitment: string;
  is_seed_chosen: boolean;
  created: number;
  branch_of: string | null;
  rematch: string | null;
}

/** The first message on a socket: a link, and the last entry that this client has, if any. */
export interface Hello {
  type: "hello";
  link: string;
  last?: number | null;
}

/** Ask a strong bot what it would play here. */
export interface Hint {
  type: "hint";
  id: string;
}

/** A wish to take a free seat of a public game; without a name, one is called as the seat is. */
export interface Join {
  name?: string | null;
  seat?: number | null;
}

/** A seat that was taken. */
export interface Joined {
  game: string;
  seat: number;
  link: string;
}

/** A ticket of a seat: in which of its turns it came (0: at the setup) and was joined, if it was. */
export interface KeptTicket {
  ticket: string;
  points: number;
  kept_in_turn: number;
  joined_in_turn: number | null;
}

/** A piece of the ground: what it is, and its outline as an SVG path. Each lies on those before it. */
export interface Land {
  kind: "abroad" | "border" | "bridge" | "land" | "park" | "street" | "water";
  d: string;
}

/** Where everything lies on a drawn board, in units of its own from the top left. */
export interface Layout {
  format: number;
  board: string;
  digest: string;
  size: [number, number];
  car: [number, number];
  dot: number;
  text: number;
  leading: number;
  cities: Record<string, CityPlace>;
  routes: Record<string, ([number, number, number])[]>;
  land: Land[];
  credits: string[];
}

/** Leave the seat to a bot; its link still opens it. */
export interface Leave {
  type: "leave";
  id: string;
}

/** A public game with free seats. */
export interface Listed {
  game: string;
  edition: string;
  seats: SeatInfo[];
  clock: number | null;
  created: number;
}

/** The public games that wait for somebody. */
export interface Lobby {
  games: Listed[];
}

/** What a number of a move means. To keep tickets: bit i of `mask` keeps the i-th of the offer. */
export interface MoveInfo {
  kind: string;
  route?: string | null;
  colour?: string | null;
  cards?: number;
  locomotives?: number;
  mask?: number;
}

/** A game to be dealt. */
export interface NewGame {
  edition: string;
  seats: SeatWish[];
  options?: Options;
}

/** What can be chosen for a game, beside its edition and seats. */
export interface Options {
  first?: number | null;
  aids?: boolean;
  clock?: number | null;
  seed?: string | null;
  public?: boolean;
}

/** What only one seat can see. */
export interface OwnView {
  hand: Record<string, number>;
  tickets: string[];
  joined: string[];
  offer: string[];
  legal: number[];
  can_undo: boolean;
}

/** Ask whether anybody is there. */
export interface Ping {
  type: "ping";
  id: string;
}

/** Play a move, by its number or in words. */
export interface Play {
  type: "play";
  id: string;
  move: number | string;
}

/** Something that was not done: a code for programs and a sentence for people. */
export interface Refusal {
  type: "refused";
  code: "ambiguous_move" | "bad_link" | "bad_record" | "conflict" | "full" | "illegal_move" | "malformed" | "not_allowed" | "not_over" | "too_fast" | "too_large" | "unavailable" | "unknown_edition" | "unknown_entry" | "unknown_game";
  message: string;
  id?: string | null;
  rule?: string | null;
  options?: string[] | null;
  retry_after?: number | null;
}

/** Deal another game for the same people, each a seat further; the same secrets open it. */
export interface Rematch {
  type: "rematch";
  id: string;
}

/** Seat a bot where nobody has moved for long. */
export interface Replace {
  type: "replace";
  id: string;
  seat: number;
}

/** Some moments of a game, and how many actions there are in all. */
export interface Replay {
  actions: number;
  frames: Frame[];
}

/** The answer to a question; only what was asked for is in it. */
export interface Reply {
  type: "reply";
  id: string;
  reason?: string | null;
  rule?: string | null;
  ways?: TicketWay[] | null;
  hint?: string | null;
  hint_move?: number | null;
  win_chance?: number | null;
  reasons?: string[] | null;
}

/** Take the seat back from the bot. */
export interface Return {
  type: "return";
  id: string;
}

/** A lane; `a` and `b` are codes of cities, `twin` is the name of the other lane of a double. */
export interface RouteInfo {
  name: string;
  a: string;
  b: string;
  length: number;
  colour: string;
  twin: string | null;
  points: number;
}

/** The numbers and named choices of an edition, for help in any language, and our rulings by id. */
export interface RulesInfo {
  opening_hand: number;
  cards_of_a_colour: number;
  locomotives: number;
  ticket_flow: string;
  deal: number;
  deal_keep: number;
  draw: number;
  draw_keep: number;
  doubles_close_up_to: number;
  end_when: string;
  end_pieces: number;
  end_tickets: number;
  longest_path: number;
  globetrotter: number;
  attraction: number;
  has_coast_to_coast: boolean;
  tie_breaks: string[];
  rulings: Record<string, string>;
}

/** Say something to everybody at the table. */
export interface Say {
  type: "say";
  id: string;
  text: string;
}

/** Who sits somewhere. */
export interface SeatInfo {
  who: "bot" | "free" | "person";
  name: string;
  level: string | null;
  is_here: boolean;
}

/** What a seat did and what came of it; docs/reference/statistics.md says what each number means. */
export interface SeatStatistics {
  score: number;
  points_routes: number | null;
  points_tickets_made: number | null;
  points_tickets_failed: number | null;
  points_longest_path: number | null;
  points_globetrotter: number | null;
  points_attractions: number | null;
  points_completed_tickets: number | null;
  points_per_turn: number;
  turns: number;
  turns_drawing_cards: number;
  turns_claiming: number;
  turns_drawing_tickets: number;
  turns_passed: number;
  cards_dealt: number;
  cards_drawn: number;
  cards_taken: number;
  cards_played: number;
  cards_left: number;
  locomotives_dealt: number;
  locomotives_drawn: number;
  locomotives_taken: number;
  locomotives_played: number;
  locomotives_left: number;
  luck: number;
  routes: number;
  average_route_length: number;
  longest_path: number;
  pieces_left: number;
  tickets_offered: number;
  tickets_returned: number;
  tickets_made: number;
  tickets_failed: number;
  tickets_cut_off: number;
  coast_to_coast_in_turn: number | null;
  tickets: KeptTicket[];
}

/** What all can see of a seat. */
export interface SeatView {
  cards: number;
  known: Record<string, number>;
  tickets: number;
  completed: string[];
  has_bonus_ticket: boolean;
  pieces: number;
  points: number;
  routes: string[];
}

/** Who is to sit somewhere: a person at this device, by link, anybody from the lobby, or a bot. */
export interface SeatWish {
  who: "bot" | "here" | "link" | "open";
  name?: string | null;
  level?: string | null;
}

/** How a game went: numbers after the setup and after each action, for every seat a list of them. */
export interface Series {
  turns: number[];
  score: number[][];
  route_points: number[][];
  cards: number[][];
  pieces: number[][];
}

/** The statistics of a game, seat by seat and action by action. */
export interface Statistics {
  seats: SeatStatistics[];
  series: Series;
}

/** Whether the server reaches its database and its other processes. */
export interface Status {
  type: "status";
  status: "connected" | "reconnecting";
}

/** What all can see of a game. */
export interface TableView {
  phase: string;
  to_move: number[];
  turns: number;
  turns_left: number | null;
  row: (string | null)[];
  deck: number;
  discards: Record<string, number>;
  ticket_deck: number;
  seats: SeatView[];
  closed: string[];
  deadline: number | null;
  ending: Ending | null;
}

/** A ticket. */
export interface TicketInfo {
  name: string;
  a: string;
  b: string;
  points: number;
}

/** How far a ticket is from being made: pieces to place, and where; None if it is cut off. */
export interface TicketWay {
  ticket: string;
  points: number;
  pieces: number | null;
  routes: string[];
}

/** An entry of the log, as far as its reader may know it. */
export interface Told {
  n: number;
  kind: "bot seated" | "joined" | "left" | "moved" | "rematch" | "returned" | "said" | "started" | "undo answered" | "undo asked" | "undone";
  at: number;
  seat?: number | null;
  move?: number | null;
  text?: string | null;
  events?: Event[];
}

/** Take back this seat's last action: at once among bots, if all agree among people. */
export interface Undo {
  type: "undo";
  id: string;
}

/** What happened, and the game as it stands after it. The numbers of entries have no gaps. */
export interface Update {
  type: "update";
  entries: Told[];
  seats: SeatInfo[];
  asked: number | null;
  view: TableView;
  own: OwnView | null;
}

/** Ask how far this seat's tickets, and those it is offered, are from being made. */
export interface Ways {
  type: "ways";
  id: string;
}

/** The answer to a hello: the game as it stands, and what was missed since the last entry. */
export interface Welcome {
  type: "welcome";
  version: string;
  game: GameInfo;
  you: number | null;
  last: number;
  entries: Told[];
  seats: SeatInfo[];
  asked: number | null;
  view: TableView;
  own: OwnView | null;
}

/** Ask why a move may not be played. */
export interface Why {
  type: "why";
  id: string;
  move: number | string;
}

export type Command = Play | Undo | Answer | Say | Leave | Return | Replace | Rematch | Why | Ways | Hint | Ping;

export type ServerMessage = Welcome | Update | Ack | Reply | Refusal | Status;
