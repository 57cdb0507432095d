	if (sis_search(&sis)) {
		if (!sis.nr)
			return -1;
		nr = sis.nr;
		/* The scan begins after the target. None has a window where there is an idle core. */
		if (sis.next_cpu && READ_ONCE(*sis.next_cpu) >= 0)
			target = READ_ONCE(*sis.next_cpu) - 1;
	} else
