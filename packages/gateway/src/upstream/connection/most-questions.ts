/**
 * Questions to people that they have not answered yet, of one server at a time. Each may keep a call open that has left the
 * gate, so that there are as many sockets besides.
 */
export const MOST_QUESTIONS = { count: 1024, length: 8 * 1024 * 1024 }
