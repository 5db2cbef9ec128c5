# Words of the mod beyond the names in its files, for the game's pages on it.
hay_fork = A tool for the harvest. Its reach keeps a horse off; its points do not pass a lamellar coat.
townsfolk = Neighbours with forks. They stand while the man beside them stands.
repeater_men = Ten light bolts in a quarter of a minute, and then a while of nothing.
