// Written by tools/message_types from the server's messages. Do not edit.

/** Accept an invitation; without a name, the seat keeps the name that the host gave it. */
export interface Accept {
  name?: string | null;
  colour?: "black" | "blue" | "green" | "red" | "yellow" | null;
}

/** A command was executed and stored: the number of its entry, the hash of the state after it. */
export interface Ack {
  type: "ack";
  id: string;
  n: number;
  state_hash: string | null;
  game: string | null;
  invitation: string | null;
}

/** Agree to an undo, or refuse it. */
export interface Answer {
  type: "answer";
  id: string;
  agree: boolean;
  after?: number | null;
}

/** The positions of everything on a drawn board, in its own units from the top left corner. */
export interface BoardLayout {
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

/** A board in small: the ground, its cities, and a line of a colour through the spaces of each route. */
export interface BoardPicture {
  size: [number, number];
  land: Land[];
  cities: Record<string, [number, number]>;
  lines: ([string, number[]])[];
}

/** A bot as players know it: a name, a level, and for some of the medium ones a style. */
export interface BotCharacter {
  name: string;
  level: string;
  style: "blocker" | "hoarder" | "racer" | null;
}

/** How well bots play on this server right now. */
export interface BotStatus {
  compiling: number | null;
  is_hard_medium: boolean;
  have_failed: boolean;
}

/** A request for a new game that continues a finished one after a given number of its actions. */
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

/** A city's label: its lines, the baseline point of the first line, and the text anchor at that point. */
export interface CityLabel {
  x: number;
  y: number;
  anchor: "end" | "middle" | "start";
  lines: string[];
  width: number;
}

/** The position of a city and of its label. */
export interface CityPlace {
  x: number;
  y: number;
  label: CityLabel;
}

/** A new game: the links to its seats, the invitations, and the spectator link. */
export interface Created {
  game: string;
  seats: (string | null)[];
  invitations: (string | null)[];
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
  has_points: boolean;
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
  layout: BoardLayout;
  digest: string;
}

/** The end of a game: points by seat and term, all tickets, and the seed for verification. */
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

/** Entries of a game's log, without what their reader may not see. */
export interface Entries {
  entries: Told[];
  last: number;
}

/** One event. `details` are its details by name; None for a hidden one. */
export interface Event {
  kind: string;
  seat: number | null;
  details: Record<string, unknown>;
}

/** The properties of a game that do not depend on its position. */
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
  host: number | null;
  undo_seconds: number;
}

/** The first message on a socket: a link, and the last entry that this client has, if any. */
export interface Hello {
  type: "hello";
  link: string;
  last?: number | null;
}

/** Ask which move a strong bot would play. */
export interface Hint {
  type: "hint";
  id: string;
  after?: number | null;
}

/** Make a new invitation for a seat. Only the host may; all players see it; the old one is void. */
export interface Invite {
  type: "invite";
  id: string;
  seat: number;
  after?: number | null;
}

/** A request for a free seat of a public game; without a name, the player gets the seat's name. */
export interface Join {
  name?: string | null;
  seat?: number | null;
  colour?: "black" | "blue" | "green" | "red" | "yellow" | null;
}

/** A seat that this device has taken, with a link that only this device gets. */
export interface Joined {
  game: string;
  seat: number;
  link: string;
}

/** A ticket of a seat: the turns in which it was received (0: at setup) and joined, if it was. */
export interface KeptTicket {
  ticket: string;
  points: number;
  kept_in_turn: number;
  joined_in_turn: number | null;
}

/** A piece of the background: its kind and its outline as an SVG path. Later pieces cover earlier ones. */
export interface Land {
  kind: "abroad" | "border" | "bridge" | "land" | "lane" | "park" | "pier" | "relief" | "river" | "street" | "water";
  d: string;
}

/** Leave the seat to a bot; the seat's link stays valid. */
export interface Leave {
  type: "leave";
  id: string;
  after?: number | null;
}

/** A public game with free seats. */
export interface Listed {
  game: string;
  edition: string;
  seats: SeatInfo[];
  clock: number | null;
  created: number;
}

/** The public games with free seats. */
export interface Lobby {
  games: Listed[];
}

/** Request a code that adds another device of the same person to this seat. */
export interface MakeCode {
  type: "code";
  id: string;
  after?: number | null;
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

/** A request to deal a game. */
export interface NewGame {
  edition: string;
  seats: SeatWish[];
  options?: Options;
}

/** The options of a new game, besides its edition and seats. */
export interface Options {
  first?: number | null;
  aids?: boolean;
  clock?: number | null;
  seed?: string | null;
  public?: boolean;
}

/** The private part of a seat. */
export interface OwnView {
  hand: Record<string, number>;
  tickets: string[];
  joined: string[];
  offer: string[];
  legal: number[];
  can_undo: boolean;
}

/** Check the connection. */
export interface Ping {
  type: "ping";
  id: string;
  after?: number | null;
}

/** Play a move, given by number or as text. */
export interface Play {
  type: "play";
  id: string;
  move: number | string;
  after?: number | null;
}

/** A refused command. Pages show `reason` and `details` in their own words; `message` is for logs. */
export interface Refusal {
  type: "refused";
  code: "ambiguous_move" | "bad_link" | "bad_record" | "conflict" | "full" | "illegal_move" | "invitation" | "malformed" | "not_allowed" | "not_over" | "too_fast" | "too_large" | "unavailable" | "unknown_edition" | "unknown_entry" | "unknown_game" | "wrong_host";
  message: string;
  id?: string | null;
  rule?: string | null;
  options?: string[] | null;
  retry_after?: number | null;
  reason?: "address_has_seat" | "already_chosen" | "bot_keeps_seat" | "bot_plays" | "can_act" | "cards_hidden" | "choose_tickets_first" | "code_expired" | "deck_empty" | "empty_message" | "game_changed" | "game_is_over" | "hard_bots_elsewhere" | "has_time" | "hint_later" | "hint_pending" | "host_only" | "invitation_used" | "is_online" | "joined_too_late" | "just_left" | "keep_more" | "link_replaced" | "locomotive_second" | "lost_seat" | "many_connections" | "many_hard_bots" | "no_hints" | "no_person" | "no_request" | "no_such_move" | "no_tickets_left" | "no_tickets_to_swap" | "not_face_up" | "not_offered" | "not_public" | "not_your_turn" | "nothing_offered" | "nothing_to_undo" | "other_edition" | "other_game" | "other_server" | "other_site" | "public_branch" | "public_seed" | "route_taken" | "seat_is_yours" | "seat_open" | "seat_taken" | "second_card_first" | "too_few_cards" | "too_few_locomotives" | "too_few_pieces" | "twin_closed" | "twin_is_own" | "undo_pending" | "unusual_characters" | "watching" | null;
  details?: Record<string, string | number>;
}

/** Deal another game for the same players, each one seat further; the same secrets open it. */
export interface Rematch {
  type: "rematch";
  id: string;
  after?: number | null;
}

/** Replace a player by a bot: one whose time is up or, without a turn timer, who is absent. */
export interface Replace {
  type: "replace";
  id: string;
  seat: number;
  after?: number | null;
}

/** Some frames of a game, with its edition, its players and its number of actions. */
export interface Replay {
  edition: string;
  names: string[];
  colours: ("black" | "blue" | "green" | "red" | "yellow")[];
  actions: number;
  frames: ReplayFrame[];
}

/** A moment of a replay: an action, what came of it, and everything as it stood then, nothing hidden. */
export interface ReplayFrame {
  n: number;
  seat: number | null;
  text: string | null;
  events: Event[];
  view: TableView;
  own: OwnView[];
}

/** The answer to a question; it has only the fields that were asked for. */
export interface Reply {
  type: "reply";
  id: string;
  reason?: "address_has_seat" | "already_chosen" | "bot_keeps_seat" | "bot_plays" | "can_act" | "cards_hidden" | "choose_tickets_first" | "code_expired" | "deck_empty" | "empty_message" | "game_changed" | "game_is_over" | "hard_bots_elsewhere" | "has_time" | "hint_later" | "hint_pending" | "host_only" | "invitation_used" | "is_online" | "joined_too_late" | "just_left" | "keep_more" | "link_replaced" | "locomotive_second" | "lost_seat" | "many_connections" | "many_hard_bots" | "no_hints" | "no_person" | "no_request" | "no_such_move" | "no_tickets_left" | "no_tickets_to_swap" | "not_face_up" | "not_offered" | "not_public" | "not_your_turn" | "nothing_offered" | "nothing_to_undo" | "other_edition" | "other_game" | "other_server" | "other_site" | "public_branch" | "public_seed" | "route_taken" | "seat_is_yours" | "seat_open" | "seat_taken" | "second_card_first" | "too_few_cards" | "too_few_locomotives" | "too_few_pieces" | "twin_closed" | "twin_is_own" | "undo_pending" | "unusual_characters" | "watching" | "ambiguous_move" | "bad_link" | "bad_record" | "conflict" | "full" | "illegal_move" | "invitation" | "malformed" | "not_allowed" | "not_over" | "too_fast" | "too_large" | "unavailable" | "unknown_edition" | "unknown_entry" | "unknown_game" | "wrong_host" | null;
  rule?: string | null;
  details?: Record<string, string | number>;
  ways?: TicketWay[] | null;
  hint?: string | null;
  hint_move?: number | null;
  win_chance?: number | null;
  reasons?: string[] | null;
  code?: string | null;
  seconds?: number | null;
}

/** Take the seat back from the bot. */
export interface Return {
  type: "return";
  id: string;
  after?: number | null;
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

/** The numbers and named choices of an edition, for help in any language, and the ids of our rulings. */
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
  coast_to_coast: string[];
  tie_breaks: string[];
  rulings: string[];
}

/** Send a chat message to the table. */
export interface Say {
  type: "say";
  id: string;
  text: string;
  after?: number | null;
}

/** The player of a seat. */
export interface SeatInfo {
  who: "bot" | "free" | "invited" | "person";
  name: string;
  colour: "black" | "blue" | "green" | "red" | "yellow";
  level: string | null;
  style: "blocker" | "hoarder" | "racer" | null;
  is_here: boolean;
  devices: number;
  is_out_of_time: boolean;
}

/** The statistics of one seat; docs/reference/statistics.md explains each number. */
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

/** The public part of a seat. */
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

/** Who gets a seat: a person at this device, an invited person, any player from the lobby, or a bot. */
export interface SeatWish {
  who: "bot" | "here" | "link" | "open";
  name?: string | null;
  level?: string | null;
  colour?: "black" | "blue" | "green" | "red" | "yellow" | null;
  style?: "blocker" | "hoarder" | "racer" | null;
}

/** The course of a game: for every seat, a list of numbers after setup and after each action. */
export interface Series {
  turns: number[];
  score: number[][];
  route_points: number[][];
  cards: number[][];
  pieces: number[][];
}

/** The statistics of a game, by seat and by action. */
export interface Statistics {
  seats: SeatStatistics[];
  series: Series;
}

/** Whether the server can reach its database and its other processes. */
export interface Status {
  type: "status";
  status: "connected" | "reconnecting";
}

/** The public part of a game. */
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

/** The shortest path of a ticket: the pieces still needed (None if it is cut off) and the routes. */
export interface TicketWay {
  ticket: string;
  points: number;
  pieces: number | null;
  routes: string[];
}

/** An entry of the log, without what its reader may not see. */
export interface Told {
  n: number;
  kind: "bot seated" | "device added" | "invited" | "joined" | "left" | "moved" | "rematch" | "restored" | "returned" | "said" | "started" | "undo answered" | "undo asked" | "undone";
  at: number;
  seat?: number | null;
  move?: number | null;
  text?: string | null;
  events?: Event[];
}

/** Undo this seat's last action: at once against bots; otherwise the other players must agree. */
export interface Undo {
  type: "undo";
  id: string;
  after?: number | null;
}

/** New entries, and the game after them. The numbers of entries have no gaps. */
export interface Update {
  type: "update";
  entries: Told[];
  seats: SeatInfo[];
  asked: number | null;
  view: TableView;
  own: OwnView | null;
}

/** Ask for the shortest paths of this seat's tickets and of those it is offered. */
export interface Ways {
  type: "ways";
  id: string;
  after?: number | null;
}

/** The answer to a hello: the current game, and the entries that the client has missed. */
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

/** Ask why a move is not legal. */
export interface Why {
  type: "why";
  id: string;
  move: number | string;
  after?: number | null;
}

export type Command = Play | Undo | Answer | Say | Leave | Return | Replace | Rematch | Invite | MakeCode | Why | Ways | Hint | Ping;

export type ServerMessage = Welcome | Update | Ack | Reply | Refusal | Status;

export const COLOURS: readonly SeatInfo["colour"][] = ["blue","red","green","yellow","black"];

export const CHARACTERS: readonly BotCharacter[] = [
  {"name":"Penny","level":"easy","style":null},
  {"name":"Otis","level":"easy","style":null},
  {"name":"Mabel","level":"easy","style":null},
  {"name":"Toby","level":"easy","style":null},
  {"name":"Nell","level":"easy","style":null},
  {"name":"Ada","level":"medium","style":null},
  {"name":"Jasper","level":"medium","style":"blocker"},
  {"name":"Cora","level":"medium","style":"hoarder"},
  {"name":"Felix","level":"medium","style":"racer"},
  {"name":"Ruth","level":"medium","style":null},
  {"name":"Victor","level":"hard","style":null},
  {"name":"Iris","level":"hard","style":null},
  {"name":"August","level":"hard","style":null},
  {"name":"Edith","level":"hard","style":null},
  {"name":"Silas","level":"hard","style":null},
];
