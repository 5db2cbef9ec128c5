//! Commanders that are nobody's player. They see what their posts know and emit
//! lines of the order language, like everybody else.

pub mod doctrine;
