// One helper, called from three places.
int read_number(void);
int button(void);

static const int price[7] = { 9, 9, 9, 9, 12, 15, 15 };

static int price_on(int day)
{
    return price[day];
}

static int on_sunday(void)
{
    return price_on(6);
}

static int in_a_week(int today)
{
    return price_on((today + 7) % 7);
}

static int tomorrow(int today)
{
    return price_on(today + 1);
}

int main(void)
{
    int today = read_number();
    if (today < 0 || today > 6)
        return 1;
    switch (button()) {
    case 0:  return on_sunday();
    case 1:  return in_a_week(today);
    default: return tomorrow(today);
    }
}
